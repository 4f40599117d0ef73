// Another process.
// refused: fork
#include <unistd.h>

int main(void) {
    return fork() == 0; // here
}
