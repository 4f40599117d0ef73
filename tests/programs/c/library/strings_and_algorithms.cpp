// executions: rc11 1
#include <algorithm>
#include <cassert>
#include <functional>
#include <numeric>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>
int add(int a, int b, int c) {
    return a + 10 * b + 100 * c;
}
int main() {
    std::string s = "b" + std::to_string(42) + 'c';
    s.insert(0, "a").append("d").replace(1, 1, "xy");
    assert(s == "axy42cd" && s.find("42") == 3 && s.rfind('c') == 5 && s.substr(3, 2) == "42" && std::stoi(s.substr(3)) == 42);
    std::string_view v = s;
    v.remove_prefix(1);
    assert(v.starts_with("xy") && v.find_first_of("0123456789") == 2 && v < "y");
    std::vector<int> n{4, 1, 3};
    n.insert(n.begin() + 1, {7, 8});
    n.push_back(n.front());
    std::sort(n.begin(), n.end());
    assert((n == std::vector<int>{1, 3, 4, 4, 7, 8}) && std::binary_search(n.begin(), n.end(), 7));
    n.erase(std::unique(n.begin(), n.end()), n.end());
    n.erase(std::remove_if(n.begin(), n.end(), [](int x) { return x > 7; }), n.end());
    std::reverse(n.begin(), n.end());
    assert(n.size() == 4 && n[0] == 7 && std::accumulate(n.rbegin(), n.rend(), 0) == 15);
    std::rotate(n.begin(), n.begin() + 1, n.end());
    assert(n.back() == 7 && *std::max_element(n.begin(), n.end()) == 7 && std::count_if(n.begin(), n.end(), [](int x) { return x & 1; }) == 3);
    using namespace std::placeholders;
    assert(std::bind(add, _2, 2, _1)(3, 1) == 321 && std::mem_fn(&std::vector<int>::size)(n) == 4);
    assert(std::get<2>(std::tuple_cat(std::make_tuple(1), std::make_tuple(2, 3))) == 3);
    assert(std::make_tuple(1, 2) < std::make_tuple(1, 3));
}
