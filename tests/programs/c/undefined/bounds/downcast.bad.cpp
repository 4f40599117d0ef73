// A pointer to a base object is cast to a class that the object does not have.
// expect: out of bounds
struct animal { int legs = 4; };
struct bird : animal { int wings = 2; };

int main() {
  animal* a = new animal;
  bird* b = static_cast<bird*>(a); // here
  int w = b->wings; // here
  delete a;
  return w;
}
