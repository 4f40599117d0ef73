// A variable that is never defined.
// refused: unsupported: the variable 'elsewhere', which is declared but not defined
extern int elsewhere;

int main(int argc, char **argv) {
  return argc ? elsewhere : 0; // here
}
