// A quotient of integers of 128 bits.
// refused: 128
int main(int argc, char **argv) {
    __int128 big = argc;
    return (int)(big / 3); // here
}
