// The initialisation of a static that needs the static itself waits forever.
// finds: deadlock
int value();
struct Thing {
    int number;
    Thing() : number(value()) {}
};
int value() {
    static Thing it;
    return it.number;
}
int main() {
    return value();
}
