// In C++ every thread may be assumed to make progress; this loop does nothing forever.
// expect: endless loop
int main() {
  unsigned i = 0;
  for (;;) // here
    i ^= 1; // here
}
