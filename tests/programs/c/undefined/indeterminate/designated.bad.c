// A struct is set member by member, and one is forgotten.
// expect: indeterminate value
struct options { int verbose, jobs, colour; };

static void defaults(struct options *o) {
  o->verbose = 0;
  o->colour = 1;
}

int main(void) {
  struct options o;
  defaults(&o);
  while (o.jobs > 64) // here
    o.jobs = 64;
  return 0;
}
