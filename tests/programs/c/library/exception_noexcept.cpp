// finds: std::terminate
void fail() noexcept {
    throw 1;
}
int main() {
    try {
        fail();
    } catch (...) {
    }
}
