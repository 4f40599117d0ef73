// A fence that no fence of the language matches: of stores alone.
// refused: inline assembly "dmb ishst"
int main(void) {
  __asm__ volatile("dmb ishst" ::: "memory"); // here
  return 0;
}
