// References to elements stay valid when others come and go.
// executions: rc11 1
#include <cassert>
#include <list>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
struct Key {
    int a, b;
    bool operator==(const Key &other) const { return a == other.a && b == other.b; }
};
struct KeyHash {
    std::size_t operator()(const Key &k) const { return k.a * 31 + k.b; }
};
int main() {
    std::map<int, int> m{{3, 30}, {1, 10}};
    int &ref = m[2];
    for (int i = 4; i < 8; i++) m.emplace(i, i);
    m.erase(1);
    ref = 20;
    assert(m.at(2) == 20 && m.begin()->first == 2 && m.rbegin()->first == 7 && m.lower_bound(3)->second == 30);
    assert(!m.try_emplace(2, 5).second && m.insert_or_assign(2, 6).first->second == 6 && ref == 6);
    std::multimap<std::string, int> words{{"b", 1}, {"a", 2}, {"b", 3}};
    auto [first, last] = words.equal_range("b");
    assert(words.count("b") == 2 && first->second == 1 && std::next(first)->second == 3 && last == words.end());
    std::unordered_map<Key, int, KeyHash> u;
    u[{1, 2}] = 3;
    assert(u.find({1, 2})->second == 3 && !u.contains({2, 1}));
    std::set<int> s{3, 1, 2, 3};
    s.erase(s.find(2));
    assert(s.size() == 2 && *s.begin() == 1);
    std::list<int> l{3, 1, 2};
    auto two = std::prev(l.end());
    l.sort();
    l.splice(l.begin(), l, two);
    l.reverse();
    assert((l == std::list<int>{3, 1, 2}));
}
