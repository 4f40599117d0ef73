// finds: assertion
#include <assert.h>
#include <stdlib.h>
static void quick(void) {
    assert(0);
}
int main(void) {
    at_quick_exit(quick);
    quick_exit(0);
}
