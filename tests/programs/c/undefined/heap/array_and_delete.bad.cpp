// An array is deleted as if it were one object.
// expect: mismatched free
int main() {
  int* a = new int[3];
  delete a; // here
  return 0;
}
