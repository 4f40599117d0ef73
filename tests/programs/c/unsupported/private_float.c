// Floating-point arithmetic.
// refused: float
float half(int n) {
    return n * 0.5f; // here
}

int main(int argc, char **argv) {
    return half(argc) == 2.0f;
}
