// A remainder by a variable that is 0.
// expect: invalid division
static unsigned buckets;

int main(void) {
  unsigned hash = 17;
  return hash % buckets; // here
}
