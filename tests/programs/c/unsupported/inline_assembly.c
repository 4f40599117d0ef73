// Inline assembly may do anything.
// refused: assembly
int main(void) {
    int n;
    __asm__ volatile("rdpid %0" : "=r"(n)); // here
    return n;
}
