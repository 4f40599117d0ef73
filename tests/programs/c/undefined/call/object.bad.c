// The address of an object is called.
// expect: call of no function
static int code[4];

typedef int (*function)(void);

int main(void) {
  function f = (function)(void *)code;
  return f(); // here
}
