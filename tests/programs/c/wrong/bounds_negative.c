// A negative index of a global array.

int before[4], a[4];
int n = -1;

int main(void) {
    return a[n]; // wrong
}
