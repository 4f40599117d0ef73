// Floating-point arithmetic.
// refused: float
float half(int n) {
    return n * 0.5f; // here
}

int main(void) {
    return half(4) == 2.0f;
}
