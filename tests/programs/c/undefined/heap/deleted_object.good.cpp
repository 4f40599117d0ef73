// An object deletes itself as the last thing that is done with it.
struct session {
  int id = 4;
  int close() {
    int last = id;
    delete this;
    return last;
  }
};

int main() {
  session* s = new session;
  return s->close() != 4;
}
