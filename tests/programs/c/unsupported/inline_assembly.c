// Inline assembly may do anything.
// refused: assembly
int main(void) {
    __asm__ volatile("cpuid" ::: "memory"); // here
    return 0;
}
