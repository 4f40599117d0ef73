// C++ exceptions.
// refused: exception
int f(int n) {
    if (n > 2)
        throw n; // here
    return n;
}

int main(int argc, char **argv) {
    try {
        return f(argc);
    } catch (int) {
        return 0;
    }
}
