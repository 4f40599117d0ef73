// A null pointer is compared and copied, and its branch is never taken.
int main(void) {
  int *p = 0, *q = p;
  if (q)
    return *q;
  return 0;
}
