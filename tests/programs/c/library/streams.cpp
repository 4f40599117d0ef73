// executions: rc11 1
#include <cassert>
#include <format>
#include <iomanip>
#include <iostream>
#include <sstream>
#include <string>
struct Point {
    int x, y;
    friend std::ostream &operator<<(std::ostream &out, const Point &p) { return out << '(' << p.x << ", " << p.y << ')'; }
};
int main() {
    std::ostringstream out;
    out << "p=" << Point{1, -2} << std::setw(4) << std::setfill('.') << 7 << std::hex << 255 << std::boolalpha << true;
    assert(out.str() == "p=(1, -2)...7fftrue");
    std::cout << Point{3, 4} << std::endl;
    std::stringstream both;
    both << "12 word";
    int n;
    std::string w;
    both >> n >> w;
    assert(n == 12 && w == "word" && !(both >> n));
    assert(std::format("{}-{:>3}|{:04x}|{{{}}}", "a", 5, 255, true) == "a-  5|00ff|{true}");
}
