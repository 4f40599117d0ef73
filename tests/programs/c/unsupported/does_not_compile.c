// What the compiler refuses is told with its words.
// refused: undeclared
int main(void) {
    return missing; // here
}
