// A remainder by a variable that is not 0.
static unsigned buckets = 17;

int main(void) {
  unsigned hash = 17;
  return hash % buckets;
}
