// Handlers of signals.
// refused: signal
#include <signal.h>

void handler(int number) {}

int main(void) {
    signal(SIGINT, handler); // here
    return 0;
}
