// A number that never was a pointer is read from.
#include <stdint.h>

uintptr_t address = 0x12345678;

int main(void) {
    return *(int *)address; // wrong
}
