// Arrays of arrays, pointers to pointers, differences of pointers, negative steps. One execution.
// executions: rc11 1, sc 1
#include <assert.h>
#include <stdatomic.h>

struct row {
    int cells[3];
};

struct row rows[2] = {{{1, 2, 3}}, {{4, 5, 6}}};
int *last = &rows[1].cells[2];
const char *const names[] = {"zero", "one"};

int main(void) {
    int *p = &rows[0].cells[0];
    int **pp = &p;
    (*pp)++;
    assert(**pp == 2 && p - &rows[0].cells[0] == 1);
    assert(last[-2] == 4 && *(last - 1) == 5);
    assert(p < last && p != last);
    assert(names[1][0] == 'o' && names[0][3] == 'o');
    atomic_int grid[2][2] = {{0}};
    atomic_fetch_add(&grid[1][0], 3);
    assert(atomic_load(&grid[1][0]) == 3 && atomic_load(&grid[0][1]) == 0);
    return 0;
}
