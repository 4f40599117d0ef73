// finds: std::terminate
struct Error {};
void fail() {
    throw Error();
}
int main() {
    try {
        fail();
    } catch (int) {
    }
}
