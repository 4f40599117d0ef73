// The exception ends with its handler.
// finds: use after free
struct Error {
    int code = 1;
};
int main() {
    Error *kept = nullptr;
    try {
        throw Error();
    } catch (Error &it) {
        kept = &it;
    }
    return kept->code;
}
