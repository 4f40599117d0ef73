// A member of the struct after the last one of an array.
// expect: index out of bounds
struct entry { int key, value; };

static struct entry table[2] = {{1, 10}, {2, 20}};

static int look(int key) {
  int i = 0;
  while (table[i].key != key) // here
    i++;
  return table[i].value;
}

int main(void) {
  return look(3);
}
