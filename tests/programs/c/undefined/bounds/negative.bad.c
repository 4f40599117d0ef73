// An index of -1.
// expect: index out of bounds
static int top = -1, stack[4];

static int pop(void) { return stack[top--]; } // here

int main(void) {
  return pop();
}
