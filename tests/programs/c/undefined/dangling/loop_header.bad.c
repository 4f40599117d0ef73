// The variable of a for loop is gone after the loop.
// expect: use after free
int a[4] = {1, 2, 3, 4};

int main(void) {
  int *found = 0;
  for (int i = 0; i < 4; i++)
    if (a[i] == 3)
      found = &i;
  return found && *found == 4; // here
}
