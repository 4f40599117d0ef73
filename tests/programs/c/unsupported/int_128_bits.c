// Integers of 128 bits.
// refused: 128
int main(int argc, char **argv) {
    __int128 big = argc; // here
    return (int)(big * big >> 64);
}
