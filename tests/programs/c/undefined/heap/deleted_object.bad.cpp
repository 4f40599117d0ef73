// A member of an object is read after delete.
// expect: use after free
struct session {
  int id = 4;
  void close() { delete this; }
};

int main() {
  session* s = new session;
  s->close();
  return s->id; // here
}
