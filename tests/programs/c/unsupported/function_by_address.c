// A function that is never defined, called by its address.
// refused: unsupported: a call to 'mystery', which is not defined
void mystery(int);
void (*volatile handler)(int) = mystery; // here

int main(void) {
  handler(1);
  return 0;
}
