// The second index runs over the end of its row.
// expect: index out of bounds
int m[2][3] = {{1, 2, 3}, {4, 5, 6}};

int main(void) {
  int s = 0;
  for (int j = 0; j < 4; j++)
    s += m[0][j]; // here
  return s != 10;
}
