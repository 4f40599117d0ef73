// A function that returns nothing is called as one that returns an int.
// expect: call of another type
static int calls;
static void note(void) { calls++; }

typedef int (*question)(void);

static int ask(question q) { return q(); } // here

int main(void) {
  return ask((question)note) == 7;
}
