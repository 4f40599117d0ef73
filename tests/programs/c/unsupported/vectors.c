// Vectors of numbers.
// refused: vector
typedef int four __attribute__((vector_size(16)));

four shared;

int main(void) {
    four mine = shared; // here
    mine += 1;
    shared = mine;
    return 0;
}
