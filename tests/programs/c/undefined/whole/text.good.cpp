// Text: a tokeniser over string views by hand, a trie, Levenshtein distance, a matrix by rows,
// and number formatting.
#include <algorithm>
#include <array>
#include <cassert>
#include <cctype>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

struct piece {
  const char* at;
  std::size_t size;
  bool operator==(const char* s) const { return std::strlen(s) == size && std::memcmp(at, s, size) == 0; }
};

static std::vector<piece> split(const std::string& text) {
  std::vector<piece> found;
  const char *p = text.data(), *end = p + text.size();
  while (p != end) {
    if (*p == ' ') {
      ++p;
      continue;
    }
    const char* start = p;
    while (p != end && *p != ' ') ++p;
    found.push_back({start, static_cast<std::size_t>(p - start)});
  }
  return found;
}

class trie {
  struct node {
    std::array<int, 4> next;
    bool word;
  };
  std::vector<node> nodes;

  int make() {
    node n;
    n.next.fill(-1);
    n.word = false;
    nodes.push_back(n);
    return static_cast<int>(nodes.size()) - 1;
  }

 public:
  trie() { make(); }
  void add(const char* s) {
    int at = 0;
    for (; *s; s++) {
      int letter = *s - 'a';
      if (nodes[at].next[letter] < 0) {
        int made = make();
        nodes[at].next[letter] = made;
      }
      at = nodes[at].next[letter];
    }
    nodes[at].word = true;
  }
  bool has(const char* s) const {
    int at = 0;
    for (; *s && at >= 0; s++) at = nodes[at].next[*s - 'a'];
    return at >= 0 && nodes[at].word;
  }
};

static int distance(const std::string& a, const std::string& b) {
  std::vector<int> row(b.size() + 1);
  for (std::size_t j = 0; j < row.size(); j++) row[j] = static_cast<int>(j);
  for (std::size_t i = 1; i <= a.size(); i++) {
    int diagonal = row[0];
    row[0] = static_cast<int>(i);
    for (std::size_t j = 1; j <= b.size(); j++) {
      int above = row[j];
      row[j] = std::min(std::min(above, row[j - 1]) + 1, diagonal + (a[i - 1] != b[j - 1]));
      diagonal = above;
    }
  }
  return row.back();
}

static std::string decimal(std::int64_t n) {
  char buffer[24], *p = buffer + sizeof buffer;
  *--p = '\0';
  std::uint64_t m = n < 0 ? 0 - static_cast<std::uint64_t>(n) : static_cast<std::uint64_t>(n);
  do *--p = static_cast<char>('0' + m % 10);
  while (m /= 10);
  if (n < 0) *--p = '-';
  return p;
}

template <int R, int C>
struct matrix {
  int cell[R][C];
  matrix() { std::memset(cell, 0, sizeof cell); }
  int* operator[](int r) { return cell[r]; }
  const int* operator[](int r) const { return cell[r]; }
};

template <int R, int K, int C>
matrix<R, C> operator*(const matrix<R, K>& a, const matrix<K, C>& b) {
  matrix<R, C> m;
  for (int i = 0; i < R; i++)
    for (int j = 0; j < C; j++)
      for (int k = 0; k < K; k++) m[i][j] += a[i][k] * b[k][j];
  return m;
}

int main() {
  std::string text = "  ab abc  d ";
  auto pieces = split(text);
  assert(pieces.size() == 3 && pieces[1] == "abc" && !(pieces[2] == "dd"));
  trie t;
  t.add("ab");
  t.add("abc");
  assert(t.has("ab") && t.has("abc") && !t.has("a") && !t.has("b") && !t.has("abcd"));
  assert(distance("kitten", "sitting") == 3 && distance("", "ab") == 2);
  assert(decimal(INT64_MIN) == "-9223372036854775808" && decimal(0) == "0" && decimal(105) == "105");
  matrix<2, 3> a;
  matrix<3, 1> b;
  for (int i = 0; i < 3; i++) {
    a[0][i] = i;
    a[1][i] = 1;
    b[i][0] = i + 1;
  }
  matrix<2, 1> c = a * b;
  assert(c[0][0] == 8 && c[1][0] == 6);
  std::sort(text.begin(), text.end());
  assert(text[6] == 'a' && text[5] == ' ' && text.back() == 'd');
  return 0;
}
