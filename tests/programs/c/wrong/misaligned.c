// An int is read at an odd address.

char bytes[16];

int main(void) {
    int *p = (int *)(bytes + 1);
    return *p; // wrong
}
