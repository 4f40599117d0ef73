// A null function pointer is called.

void (*callback)(void);

int main(void) {
    callback(); // wrong
    return 0;
}
