// Floating-point arithmetic.
// refused: float
int main(int argc, char **argv) {
    float half = argc * 0.5f; // here
    return half > 2.0f;
}
