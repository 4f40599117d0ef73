// executions: rc11 1
// arguments: --leaks
#include <cassert>
#include <deque>
#include <list>
#include <map>
#include <queue>
#include <set>
#include <stack>
#include <string>
#include <unordered_map>
#include <unordered_set>
int main() {
    std::deque<int> d;
    for (int i = 0; i < 6; i++) (i % 2) ? d.push_back(i) : d.push_front(i);
    assert(d.size() == 6 && d.front() == 4 && d.back() == 5 && d[2] == 0);
    d.pop_front();
    int sum = 0;
    for (int n : d) sum += n;
    assert(sum == 11);
    std::queue<int> q;
    q.push(1);
    q.push(2);
    assert(q.front() == 1);
    q.pop();
    assert(q.front() == 2 && q.size() == 1);
    std::stack<int> s;
    s.push(1);
    s.push(2);
    assert(s.top() == 2);
    std::priority_queue<int> p;
    p.push(2);
    p.push(3);
    p.push(1);
    assert(p.top() == 3);
    std::list<int> l{1, 2, 3};
    l.erase(++l.begin());
    l.push_front(0);
    assert(l.size() == 3 && l.front() == 0 && l.back() == 3);
    std::map<std::string, int> m{{"b", 2}, {"a", 1}};
    m["c"] = 3;
    m["a"]++;
    assert(m.size() == 3 && m.begin()->first == "a" && m.at("a") == 2 && m.count("x") == 0 && m.erase("b") == 1);
    for (auto &[key, value] : m) sum += value;
    assert(sum == 16);
    std::set<int> t{3, 1, 3};
    assert(t.size() == 2 && *t.begin() == 1 && t.contains(3) && !t.insert(1).second);
    std::unordered_map<int, int> u;
    u[4] = 5;
    assert(u.find(4)->second == 5 && u.find(5) == u.end());
    std::unordered_set<int> v{1};
    assert(v.count(1) == 1);
}
