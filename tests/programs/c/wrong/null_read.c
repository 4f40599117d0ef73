// The null pointer is read.

int *p;

int main(void) {
    return *p; // wrong
}
