// executions: rc11 1
// arguments: --leaks
#include <any>
#include <bitset>
#include <cassert>
#include <concepts>
#include <expected>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>
template <class... T>
struct Cases : T... {
    using T::operator()...;
};
template <class... T>
Cases(T...) -> Cases<T...>;
std::expected<int, std::string> half(int n) {
    if (n % 2) return std::unexpected("odd");
    return n / 2;
}
template <std::integral T>
T twice(T x) {
    return x + x;
}
int main() {
    std::variant<int, std::string> v = 3;
    v = "text";
    auto size = [](auto &&x) { return std::visit(Cases{[](int n) { return n; }, [](const std::string &s) { return int(s.size()); }}, x); };
    assert(size(v) == 4 && std::holds_alternative<std::string>(v) && !std::get_if<int>(&v));
    std::variant<int, std::string> w = v;
    v = 7;
    assert(size(v) == 7 && std::get<std::string>(w) == "text" && v != w);
    bool caught = false;
    try {
        std::get<int>(w);
    } catch (const std::bad_variant_access &) {
        caught = true;
    }
    assert(caught);
    std::any a = std::string("any");
    assert(std::any_cast<std::string>(a) == "any" && !std::any_cast<int>(&a));
    assert(*half(4) == 2 && half(3).error() == "odd" && half(3).value_or(9) == 9);
    std::optional<int> o = half(8).transform([](int n) { return n + 1; }).value();
    assert(o == 5 && o.transform(twice<int>) == 10 && !std::optional<int>());
    std::vector<int> numbers{1, 2, 3};
    std::span<int> tail = std::span(numbers).subspan(1);
    tail[0] = 9;
    assert(numbers[1] == 9 && tail.size() == 2 && tail.back() == 3);
    std::bitset<70> bits;
    bits.set(69).flip(1);
    assert(bits.count() == 2 && bits[69] && (bits >> 68).to_ulong() == 2 && bits.any());
}
