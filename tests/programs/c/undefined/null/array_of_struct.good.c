// The address of a member of the null pointer is not used; an empty array is not accessed.
struct item { int a[4]; };
struct store { struct item *items; int count; };

static struct store s;

int main(void) {
  int sum = 0;
  for (int i = 0; i < s.count; i++)
    sum += s.items[i].a[1];
  return sum;
}
