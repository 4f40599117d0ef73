// A function whose code is not there.
// refused: mystery
int mystery(int n);

int main(void) {
    return mystery(3); // here
}
