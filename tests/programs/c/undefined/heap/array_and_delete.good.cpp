// An array is deleted as an array.
int main() {
  int* a = new int[3];
  delete[] a;
  return 0;
}
