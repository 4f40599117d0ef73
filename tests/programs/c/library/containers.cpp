// executions: rc11 1
// arguments: --leaks
#include <algorithm>
#include <array>
#include <cassert>
#include <cstring>
#include <functional>
#include <iostream>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>
int alive;
struct Thing {
    int n;
    explicit Thing(int n) : n(n) { alive++; }
    Thing(const Thing &other) : n(other.n) { alive++; }
    ~Thing() { alive--; }
};
int main() {
    {
        std::vector<Thing> v;
        for (int i = 0; i < 6; i++) v.emplace_back(i);
        v.push_back(Thing(6));
        v.erase(v.begin());
        v.insert(v.begin(), Thing(9));
        assert(v.size() == 7 && v[0].n == 9 && v.back().n == 6 && alive == 7);
        auto copy = v;
        assert(alive == 14);
    }
    assert(alive == 0);
    {
        auto one = std::make_unique<Thing>(1);
        auto two = std::make_shared<Thing>(2);
        std::weak_ptr<Thing> weak = two;
        {
            auto three = two;
            assert(two.use_count() == 2 && weak.lock()->n == 2);
        }
        two.reset();
        assert(weak.expired() && !weak.lock() && alive == 1);
    }
    assert(alive == 0);
    std::vector<int> numbers{3, 1, 2};
    std::sort(numbers.begin(), numbers.end());
    assert(numbers == (std::vector<int>{1, 2, 3}) && std::accumulate(numbers.begin(), numbers.end(), 0) == 6);
    assert(std::find(numbers.begin(), numbers.end(), 2) == numbers.begin() + 1 && std::max(1, 2) == 2);
    std::array<int, 2> pair{4, 5};
    auto [a, b] = std::make_tuple(pair[0], pair[1]);
    auto [c, d] = std::make_pair(6, 7);
    int x, y;
    std::tie(x, y) = std::make_tuple(1, 2);
    assert(a + b + c + d == 22 && x == 1 && y == 2);
    std::function<int(int)> add = [a](int n) { return n + a; };
    auto same = add;
    assert(same(1) == 5 && add && !std::function<void()>());
    std::string text = "ab";
    text += std::to_string(-17) + 'c';
    assert(text == "ab-17c" && text.size() == 6 && text.find('-') == 2 && std::strlen(text.c_str()) == 6);
    std::optional<int> maybe;
    assert(!maybe && maybe.value_or(3) == 3);
    maybe = 8;
    assert(*maybe == 8 && std::numeric_limits<int>::max() == 0x7fffffff);
    std::cout << "done " << text << ' ' << 3 << std::endl;
}
