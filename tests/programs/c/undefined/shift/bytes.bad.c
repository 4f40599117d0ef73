// A byte is promoted to int and shifted into the sign.
// expect: invalid shift
static const unsigned char b[4] = {1, 2, 3, 0x80};

static unsigned long little(const unsigned char *p) {
  return p[0] | p[1] << 8 | p[2] << 16 | p[3] << 24; // here
}

int main(void) {
  return little(b) == 7;
}
