// A vector with inline storage, a variant by hand, CRTP, move semantics, reference counting,
// and a scope guard.
#include <atomic>
#include <cassert>
#include <cstddef>
#include <cstring>
#include <memory>
#include <new>
#include <thread>
#include <type_traits>
#include <utility>

template <class T, std::size_t N>
class small_vector {
  alignas(T) unsigned char room[N * sizeof(T)];
  T* first = reinterpret_cast<T*>(room);
  std::size_t used = 0, capacity = N;

  bool inside() const { return reinterpret_cast<const unsigned char*>(first) == room; }

  void grow() {
    T* bigger = static_cast<T*>(::operator new(2 * capacity * sizeof(T)));
    for (std::size_t i = 0; i < used; i++) {
      new (bigger + i) T(std::move(first[i]));
      first[i].~T();
    }
    if (!inside()) ::operator delete(first);
    first = bigger;
    capacity *= 2;
  }

 public:
  small_vector() {}
  small_vector(const small_vector& other) {
    for (const T& x : other) push_back(x);
  }
  small_vector& operator=(const small_vector&) = delete;
  ~small_vector() {
    while (used) pop_back();
    if (!inside()) ::operator delete(first);
  }
  template <class... A>
  T& emplace_back(A&&... a) {
    if (used == capacity) grow();
    return *new (first + used++) T(std::forward<A>(a)...);
  }
  void push_back(const T& x) { emplace_back(x); }
  void pop_back() { first[--used].~T(); }
  T& operator[](std::size_t i) { return first[i]; }
  std::size_t size() const { return used; }
  T* begin() { return first; }
  T* end() { return first + used; }
  const T* begin() const { return first; }
  const T* end() const { return first + used; }
};

template <class D>
struct counted {
  std::atomic<int> references{1};
  static inline std::atomic<int> alive{0};
  counted() { alive.fetch_add(1, std::memory_order_relaxed); }
  ~counted() { alive.fetch_sub(1, std::memory_order_relaxed); }
  void keep() { references.fetch_add(1, std::memory_order_relaxed); }
  void drop() {
    if (references.fetch_sub(1, std::memory_order_acq_rel) == 1) delete static_cast<D*>(this);
  }
};

struct document : counted<document> {
  int pages;
  char title[8];
  document(int p, const char* t) : pages(p) {
    std::strncpy(title, t, sizeof title - 1);
    title[sizeof title - 1] = '\0';
  }
};

template <class T>
class handle {
  T* it;

 public:
  explicit handle(T* owned = nullptr) : it(owned) {}
  handle(const handle& o) : it(o.it) {
    if (it) it->keep();
  }
  handle(handle&& o) noexcept : it(std::exchange(o.it, nullptr)) {}
  handle& operator=(handle o) noexcept {
    std::swap(it, o.it);
    return *this;
  }
  ~handle() {
    if (it) it->drop();
  }
  T* operator->() const { return it; }
  explicit operator bool() const { return it != nullptr; }
};

class value {  // an int, a handle, or nothing
  enum class tag : unsigned char { none, number, text } kind = tag::none;
  union {
    int number;
    handle<document> text;
  };

 public:
  value() {}
  value(int n) : kind(tag::number), number(n) {}
  value(handle<document> d) : kind(tag::text), text(std::move(d)) {}
  value(const value& o) : kind(o.kind) {
    if (kind == tag::number) number = o.number;
    if (kind == tag::text) new (&text) handle<document>(o.text);
  }
  ~value() {
    if (kind == tag::text) text.~handle();
  }
  int size() const {
    switch (kind) {
      case tag::none: return 0;
      case tag::number: return number;
      case tag::text: return text->pages;
    }
    return -1;
  }
};

template <class F>
struct guard {
  F f;
  ~guard() { f(); }
};
template <class F>
guard(F) -> guard<F>;

int main() {
  int closed = 0;
  {
    small_vector<value, 2> v;
    guard g{[&] { closed++; }};
    handle<document> d(new document(12, "a long title"));
    v.push_back(value(3));
    v.push_back(value(d));
    v.emplace_back();
    v.emplace_back(d);
    assert(v.size() == 4 && std::strcmp(d->title, "a long ") == 0);
    small_vector<value, 2> w(v);
    w.pop_back();
    int total = 0;
    for (const value& x : w) total += x.size();
    assert(total == 15);
    std::thread t([d] { assert(d->pages == 12); });
    handle<document> e = std::move(d);
    assert(!d && e->pages == 12);
    d = e;
    t.join();
  }
  assert(closed == 1 && document::alive.load(std::memory_order_relaxed) == 0);
  return 0;
}
