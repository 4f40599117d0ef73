// One byte of a union is set, and four are used.
// expect: indeterminate value
union u { unsigned char byte; unsigned word; };

int main(void) {
  union u u;
  u.byte = 1;
  if (u.word == 1) // here
    return 0;
  return 0;
}
