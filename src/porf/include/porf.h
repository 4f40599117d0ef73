/* porf.h: records what threads do to shared memory, as a history that porf checks. One header, for C11 and C++11, with
   GCC or Clang; `porf --include-dir` says where it is. docs/recorder.md shows how to use it.

     porf_recorder* recorder = porf_open();
     in every thread:  porf_thread* me = porf_start(recorder, "T0");
                       porf_store(me, &x, 1, memory_order_release);
                       int one = porf_load(me, &x, memory_order_acquire);
     after the join:   if (porf_save(recorder, "history.npz")) puts(porf_error(recorder));
                       porf_close(recorder);

   An event is appended to a buffer of its own thread: there is no lock, and nothing is shared. Times are those of the
   cycle counter, before and after the operation; -DPORF_TIME=0 leaves them out. */
#ifndef PORF_RECORDER_H
#define PORF_RECORDER_H

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#ifdef __cplusplus
#include <atomic>
#include <type_traits>
#else
#include <stdatomic.h>
#include <stdbool.h>
#endif

#if UINTPTR_MAX < UINT64_MAX
#error "porf.h is for machines of 64 bits"
#endif
#ifndef PORF_TIME
#define PORF_TIME 1
#endif

enum porf_op { PORF_READ, PORF_WRITE, PORF_UPDATE, PORF_FENCE };
enum { PORF_NA = -1 }; /* the order of accesses that are not atomic */

typedef struct {
  uint64_t start, end, read, written;
  const volatile void* at;
  uint8_t op, order;
  bool is_signed;
} porf_event;

enum { PORF_CHUNK = 1 << 15 };

typedef struct porf_chunk {
  struct porf_chunk* next;
  uint32_t size;
  porf_event events[PORF_CHUNK];
} porf_chunk;

typedef struct porf_thread {
  porf_chunk* last;
  porf_chunk* first;
  struct porf_thread* next; /* of the recorder's threads */
  uint64_t lost, unique;
  uint32_t index;
  char name[64];
} porf_thread;

/* What is said of a location besides: its name, or what it starts with. */
typedef struct porf_said {
  struct porf_said* next;
  const volatile void* at;
  uint64_t value;
  bool initial;
  char name[64];
} porf_said;

typedef struct porf_recorder {
  porf_thread* threads;
  porf_said* said;
  uint32_t count;
  char error[256];
} porf_recorder;

/* The cycle counter, not before what comes before it, and not after what comes after. It orders no stores. */
static inline uint64_t porf_now(void) {
#if !PORF_TIME
  return 0;
#elif defined(__x86_64__) || defined(__i386__)
  uint32_t low, high;
  __asm__ volatile("lfence\n\trdtsc\n\tlfence" : "=a"(low), "=d"(high) : : "memory");
  return (uint64_t)high << 32 | low;
#elif defined(__aarch64__)
  uint64_t now;
  __asm__ volatile("isb\n\tmrs %0, cntvct_el0\n\tisb" : "=r"(now) : : "memory");
  return now;
#else
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
#endif
}

static inline porf_recorder* porf_open(void) { return (porf_recorder*)calloc(1, sizeof(porf_recorder)); }

/* A thread begins; without a name it is T0, T1, ... Null if there is no memory. */
static inline porf_thread* porf_start(porf_recorder* recorder, const char* name) {
  porf_thread* thread = (porf_thread*)calloc(1, sizeof(porf_thread));
  if (thread == NULL) return NULL;
  thread->first = thread->last = (porf_chunk*)calloc(1, sizeof(porf_chunk));
  if (thread->first == NULL) {
    free(thread);
    return NULL;
  }
  thread->index = __atomic_fetch_add(&recorder->count, 1, __ATOMIC_RELAXED);
  if (name != NULL) {
    snprintf(thread->name, sizeof thread->name, "%s", name);
  } else {
    snprintf(thread->name, sizeof thread->name, "T%u", (unsigned)thread->index);
  }
  thread->next = __atomic_load_n(&recorder->threads, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(&recorder->threads, &thread->next, thread, true, __ATOMIC_RELEASE,
                                      __ATOMIC_RELAXED)) {
  }
  return thread;
}

static inline bool porf_say(porf_recorder* recorder, const volatile void* at, const char* name, uint64_t value) {
  porf_said* said = (porf_said*)calloc(1, sizeof(porf_said));
  if (said == NULL) return false;
  said->at = at;
  said->value = value;
  said->initial = name == NULL;
  if (name != NULL) snprintf(said->name, sizeof said->name, "%s", name);
  said->next = __atomic_load_n(&recorder->said, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(&recorder->said, &said->next, said, true, __ATOMIC_RELEASE, __ATOMIC_RELAXED)) {
  }
  return true;
}

/* What a location is called in the history (its address if nobody says), and what it starts with (0). */
static inline bool porf_name(porf_recorder* recorder, const volatile void* at, const char* name) {
  return porf_say(recorder, at, name, 0);
}
static inline bool porf_initial(porf_recorder* recorder, const volatile void* at, uint64_t value) {
  return porf_say(recorder, at, NULL, value);
}

/* A value that no other call returns: of 64 bits, or of 32 (for up to 255 threads with 2^24 values each). */
static inline uint64_t porf_unique(porf_thread* thread) {
  return (uint64_t)(thread->index + 1) << 40 | ++thread->unique;
}
static inline uint32_t porf_unique32(porf_thread* thread) {
  return (uint32_t)(thread->index + 1) << 24 | (uint32_t)(++thread->unique & 0xFFFFFF);
}

/* A memory order of C as histories have it; one that failed does not release. */
static inline uint8_t porf_order(int order) {
  return (uint8_t)(order < 0 ? 0 : order == 0 ? 1 : order == 1 ? 2 : order);
}
static inline int porf_failed(int order) { return order == 3 ? 0 : order == 4 ? 2 : order; }

/* Appends an event; `start` is porf_now() before the operation. The macros and templates below call it. */
static inline void porf_record(porf_thread* thread, enum porf_op op, const volatile void* at, int order, uint64_t read,
                               uint64_t written, uint64_t start, bool is_signed) {
  const uint64_t end = porf_now();
  porf_chunk* chunk = thread->last;
  if (__builtin_expect(chunk->size == PORF_CHUNK, 0)) {
    chunk = (porf_chunk*)malloc(sizeof(porf_chunk));
    if (chunk == NULL) {
      ++thread->lost;
      return;
    }
    chunk->next = NULL;
    chunk->size = 0;
    thread->last->next = chunk;
    thread->last = chunk;
  }
  porf_event* event = &chunk->events[chunk->size++];
  event->start = start;
  event->end = end;
  event->read = read;
  event->written = written;
  event->at = at;
  event->op = (uint8_t)op;
  event->order = porf_order(order);
  event->is_signed = is_signed;
}

/* The operations. They are functions of <stdatomic.h> and <atomic> with a thread before their arguments; porf_read and
   porf_write are of objects that are not atomic. */
#ifndef __cplusplus

#define PORF_SIGNED(value) ((__typeof__(value))-1 < (__typeof__(value))1)

#define porf_load(thread, object, order)                                                       \
  __extension__({                                                                              \
    const uint64_t porf_start_ = porf_now();                                                   \
    __auto_type porf_at_ = (object);                                                           \
    __auto_type porf_value_ = atomic_load_explicit(porf_at_, (order));                         \
    porf_record((thread), PORF_READ, porf_at_, (order), (uint64_t)porf_value_, 0, porf_start_, \
                PORF_SIGNED(porf_value_));                                                     \
    porf_value_;                                                                               \
  })

#define porf_store(thread, object, value, order)                                                \
  __extension__({                                                                               \
    __auto_type porf_at_ = (object);                                                            \
    __typeof__(atomic_load_explicit(porf_at_, memory_order_relaxed)) porf_value_ = (value);     \
    const uint64_t porf_start_ = porf_now();                                                    \
    atomic_store_explicit(porf_at_, porf_value_, (order));                                      \
    porf_record((thread), PORF_WRITE, porf_at_, (order), 0, (uint64_t)porf_value_, porf_start_, \
                PORF_SIGNED(porf_value_));                                                      \
  })

#define porf_exchange(thread, object, value, order)                                                                \
  __extension__({                                                                                                  \
    __auto_type porf_at_ = (object);                                                                               \
    __typeof__(atomic_load_explicit(porf_at_, memory_order_relaxed)) porf_value_ = (value);                        \
    const uint64_t porf_start_ = porf_now();                                                                       \
    __auto_type porf_old_ = atomic_exchange_explicit(porf_at_, porf_value_, (order));                              \
    porf_record((thread), PORF_UPDATE, porf_at_, (order), (uint64_t)porf_old_, (uint64_t)porf_value_, porf_start_, \
                PORF_SIGNED(porf_value_));                                                                         \
    porf_old_;                                                                                                     \
  })

#define porf_fetch_add(thread, object, value, order)                                                             \
  __extension__({                                                                                                \
    __auto_type porf_at_ = (object);                                                                             \
    const uint64_t porf_start_ = porf_now();                                                                     \
    __auto_type porf_old_ = atomic_fetch_add_explicit(porf_at_, (value), (order));                               \
    __typeof__(porf_old_) porf_new_ = (__typeof__(porf_old_))(porf_old_ + (value));                              \
    porf_record((thread), PORF_UPDATE, porf_at_, (order), (uint64_t)porf_old_, (uint64_t)porf_new_, porf_start_, \
                PORF_SIGNED(porf_old_));                                                                         \
    porf_old_;                                                                                                   \
  })

/* Strong; true if it succeeded. If not, it was a read, and *expected has what is there. */
#define porf_compare_exchange(thread, object, expected, desired, order)                                             \
  __extension__({                                                                                                   \
    __auto_type porf_at_ = (object);                                                                                \
    __auto_type porf_expected_ = (expected);                                                                        \
    __typeof__(atomic_load_explicit(porf_at_, memory_order_relaxed)) porf_value_ = (desired);                       \
    const uint64_t porf_start_ = porf_now();                                                                        \
    const bool porf_done_ = atomic_compare_exchange_strong_explicit(porf_at_, porf_expected_, porf_value_, (order), \
                                                                    (memory_order)porf_failed(order));              \
    porf_record((thread), porf_done_ ? PORF_UPDATE : PORF_READ, porf_at_,                                           \
                porf_done_ ? (int)(order) : porf_failed(order), (uint64_t)*porf_expected_, (uint64_t)porf_value_,   \
                porf_start_, PORF_SIGNED(porf_value_));                                                             \
    porf_done_;                                                                                                     \
  })

#define porf_read(thread, object)                                                              \
  __extension__({                                                                              \
    __auto_type porf_at_ = (object);                                                           \
    const uint64_t porf_start_ = porf_now();                                                   \
    __auto_type porf_value_ = *porf_at_;                                                       \
    porf_record((thread), PORF_READ, porf_at_, PORF_NA, (uint64_t)porf_value_, 0, porf_start_, \
                PORF_SIGNED(porf_value_));                                                     \
    porf_value_;                                                                               \
  })

#define porf_write(thread, object, value)                                                                              \
  __extension__({                                                                                                      \
    __auto_type porf_at_ = (object);                                                                                   \
    const uint64_t porf_start_ = porf_now();                                                                           \
    *porf_at_ = (value);                                                                                               \
    porf_record((thread), PORF_WRITE, porf_at_, PORF_NA, 0, (uint64_t)*porf_at_, porf_start_, PORF_SIGNED(*porf_at_)); \
  })

static inline void porf_fence(porf_thread* thread, memory_order order) {
  const uint64_t start = porf_now();
  atomic_thread_fence(order);
  porf_record(thread, PORF_FENCE, NULL, (int)order, 0, 0, start, false);
}

#else

template <typename T>
inline uint64_t porf_bits(T value, std::true_type) {
  return static_cast<uint64_t>(value);
}
template <typename T>
inline uint64_t porf_bits(T value, std::false_type) {
  static_assert(sizeof(T) <= 8 && std::is_trivially_copyable<T>::value, "porf records values of up to 64 bits");
  uint64_t bits = 0;
  memcpy(&bits, &value, sizeof value);
  return bits;
}
template <typename T>
inline uint64_t porf_bits(T value) {
  return porf_bits(value, typename std::is_integral<T>::type());
}
template <typename T>
struct porf_same {
  typedef T type;
};

template <typename T>
inline T porf_load(porf_thread* thread, const std::atomic<T>* object, std::memory_order order) {
  const uint64_t start = porf_now();
  const T value = object->load(order);
  porf_record(thread, PORF_READ, object, static_cast<int>(order), porf_bits(value), 0, start, std::is_signed<T>::value);
  return value;
}

template <typename T>
inline void porf_store(porf_thread* thread, std::atomic<T>* object, typename porf_same<T>::type value,
                       std::memory_order order) {
  const uint64_t start = porf_now();
  object->store(value, order);
  porf_record(thread, PORF_WRITE, object, static_cast<int>(order), 0, porf_bits(value), start,
              std::is_signed<T>::value);
}

template <typename T>
inline T porf_exchange(porf_thread* thread, std::atomic<T>* object, typename porf_same<T>::type value,
                       std::memory_order order) {
  const uint64_t start = porf_now();
  const T old = object->exchange(value, order);
  porf_record(thread, PORF_UPDATE, object, static_cast<int>(order), porf_bits(old), porf_bits(value), start,
              std::is_signed<T>::value);
  return old;
}

template <typename T>
inline T porf_fetch_add(porf_thread* thread, std::atomic<T>* object, typename porf_same<T>::type value,
                        std::memory_order order) {
  const uint64_t start = porf_now();
  const T old = object->fetch_add(value, order);
  porf_record(thread, PORF_UPDATE, object, static_cast<int>(order), porf_bits(old),
              porf_bits(static_cast<T>(old + value)), start, std::is_signed<T>::value);
  return old;
}

/* Strong; true if it succeeded. If not, it was a read, and *expected has what is there. */
template <typename T>
inline bool porf_compare_exchange(porf_thread* thread, std::atomic<T>* object, T* expected,
                                  typename porf_same<T>::type desired, std::memory_order order) {
  const int failed = porf_failed(static_cast<int>(order));
  const uint64_t start = porf_now();
  const bool done = object->compare_exchange_strong(*expected, desired, order, static_cast<std::memory_order>(failed));
  porf_record(thread, done ? PORF_UPDATE : PORF_READ, object, done ? static_cast<int>(order) : failed,
              porf_bits(*expected), porf_bits(desired), start, std::is_signed<T>::value);
  return done;
}

template <typename T>
inline T porf_read(porf_thread* thread, const T* object) {
  const uint64_t start = porf_now();
  const T value = *object;
  porf_record(thread, PORF_READ, object, PORF_NA, porf_bits(value), 0, start, std::is_signed<T>::value);
  return value;
}

template <typename T>
inline void porf_write(porf_thread* thread, T* object, typename porf_same<T>::type value) {
  const uint64_t start = porf_now();
  *object = value;
  porf_record(thread, PORF_WRITE, object, PORF_NA, 0, porf_bits(value), start, std::is_signed<T>::value);
}

inline void porf_fence(porf_thread* thread, std::memory_order order) {
  const uint64_t start = porf_now();
  std::atomic_thread_fence(order);
  porf_record(thread, PORF_FENCE, NULL, static_cast<int>(order), 0, 0, start, false);
}

#endif

/* The file: npz, a zip of columns, which are stored as they are. Everything below runs when the threads have ended. */

typedef struct {
  FILE* file;
  uint32_t crc, table[256];
  uint64_t at;
  struct {
    char name[24];
    uint32_t crc, size, offset;
  } entries[20];
  int count;
} porf_zip;

static inline void porf_put(porf_zip* zip, const void* bytes, size_t size) {
  const unsigned char* byte = (const unsigned char*)bytes;
  uint32_t crc = zip->crc;
  for (size_t i = 0; i < size; ++i) crc = zip->table[(crc ^ byte[i]) & 255] ^ crc >> 8;
  zip->crc = crc;
  zip->at += fwrite(bytes, 1, size, zip->file);
}

/* Numbers of a zip are little-endian, whatever the machine is. */
static inline void porf_numbers(porf_zip* zip, const char* sizes, const uint32_t* numbers) {
  for (; *sizes; ++sizes, ++numbers) {
    for (int byte = 0; byte < *sizes - '0'; ++byte) {
      const unsigned char one = (unsigned char)(*numbers >> 8 * byte);
      porf_put(zip, &one, 1);
    }
  }
}

static inline void porf_header(porf_zip* zip, int entry, bool central) {
  const uint32_t name = (uint32_t)strlen(zip->entries[entry].name);
  const uint32_t crc = zip->entries[entry].crc, size = zip->entries[entry].size;
  if (central) {
    const uint32_t numbers[] = {
        0x02014b50, 20, 20, 0, 0, 0, 0x21, crc, size, size, name, 0, 0, 0, 0, 0, zip->entries[entry].offset};
    porf_numbers(zip, "42222224442222244", numbers);
  } else {
    const uint32_t numbers[] = {0x04034b50, 20, 0, 0, 0, 0x21, crc, size, size, name, 0};
    porf_numbers(zip, "42222244422", numbers);
  }
  porf_put(zip, zip->entries[entry].name, name);
}

/* Begins a column of so many entries; `type` is one of numpy's, and a letter for its bytes in the order of this
 * machine. */
static inline void porf_column(porf_zip* zip, const char* name, const char* type, uint64_t entries) {
  char text[128];
  const uint16_t one = 1;
  const char order = type[1] == '1' ? '|' : *(const char*)&one ? '<' : '>';
  snprintf(zip->entries[zip->count].name, sizeof zip->entries[0].name, "%s.npy", name);
  zip->entries[zip->count].offset = (uint32_t)zip->at;
  porf_header(zip, zip->count, false);
  zip->crc = 0xFFFFFFFFu;
  const int size = snprintf(text, sizeof text, "{'descr': '%c%s', 'fortran_order': False, 'shape': (%llu,), }", order,
                            type, (unsigned long long)entries);
  memset(text + size, ' ', sizeof text - (size_t)size);
  text[117] = '\n';
  porf_put(zip, "\x93NUMPY\x01\x00\x76\x00", 10);
  porf_put(zip, text, 118);
}

/* Ends it, and writes what is known only now into its header. */
static inline void porf_end_column(porf_zip* zip) {
  const uint64_t begins = zip->entries[zip->count].offset, end = zip->at;
  const size_t header = 30 + strlen(zip->entries[zip->count].name);
  zip->entries[zip->count].crc = ~zip->crc;
  zip->entries[zip->count].size = (uint32_t)(end - begins - header);
  fseek(zip->file, (long)begins, SEEK_SET);
  porf_header(zip, zip->count, false);
  fseek(zip->file, (long)end, SEEK_SET);
  zip->at = end;
  ++zip->count;
}

static inline void porf_names(porf_zip* zip, const char* column, const char* names, size_t stride, uint32_t count) {
  porf_column(zip, column, "U63", count);
  for (uint32_t i = 0; i < count; ++i) {
    for (size_t k = 0; k < 63; ++k) {
      const size_t length = strlen(names + i * stride);
      const unsigned char c = k < length ? (unsigned char)names[i * stride + k] : 0;
      const uint32_t letter = c && (c <= ' ' || c == '#' || c == '=' || c > '~') ? '_' : c;
      porf_put(zip, &letter, 4);
    }
  }
  porf_end_column(zip);
}

/* A location: where it is, its number, its name and what it starts with. */
typedef struct {
  const volatile void* at;
  int32_t number;
} porf_place;

typedef struct {
  porf_place* slots;
  uint64_t mask;
  uint32_t count;
} porf_places;

static inline porf_place* porf_find(porf_places* places, const volatile void* at) {
  uint64_t slot = ((uint64_t)(uintptr_t)at * 0x9E3779B97F4A7C15u) >> 20;
  while (places->slots[slot & places->mask].at != NULL && places->slots[slot & places->mask].at != at) ++slot;
  return &places->slots[slot & places->mask];
}

/* The number of a location, given on first sight; -1 if there is no memory. */
static inline int32_t porf_number(porf_places* places, const volatile void* at) {
  if (places->slots == NULL || places->count * 2 > places->mask) {
    porf_places larger = {NULL, places->slots == NULL ? 1023 : places->mask * 2 + 1, places->count};
    larger.slots = (porf_place*)calloc(larger.mask + 1, sizeof(porf_place));
    if (larger.slots == NULL) return -1;
    for (uint64_t i = 0; places->slots != NULL && i <= places->mask; ++i) {
      if (places->slots[i].at != NULL) *porf_find(&larger, places->slots[i].at) = places->slots[i];
    }
    free(places->slots);
    *places = larger;
  }
  porf_place* place = porf_find(places, at);
  if (place->at == NULL) {
    place->at = at;
    place->number = (int32_t)places->count++;
  }
  return place->number;
}

typedef struct {
  const porf_event* event;
  int32_t thread, location;
} porf_row;

/* Rows in the order in which they start; those of a thread stay as they are. Merges runs, with as much memory again. */
static inline bool porf_sort(porf_row* rows, uint64_t count) {
  porf_row* other = (porf_row*)malloc(count * sizeof(porf_row));
  porf_row *from = rows, *to = other;
  if (other == NULL) return false;
  for (uint64_t width = 1; width < count; width *= 2) {
    for (uint64_t begin = 0; begin < count; begin += 2 * width) {
      const uint64_t middle = begin + width < count ? begin + width : count;
      const uint64_t end = begin + 2 * width < count ? begin + 2 * width : count;
      uint64_t left = begin, right = middle, at = begin;
      while (left < middle || right < end) {
        const bool first = right == end || (left < middle && from[left].event->start <= from[right].event->start);
        to[at++] = first ? from[left++] : from[right++];
      }
    }
    porf_row* swapped = from;
    from = to;
    to = swapped;
  }
  if (from != rows) memcpy(rows, from, count * sizeof(porf_row));
  free(other);
  return true;
}

/* An entry of a column of values. Numbers that int64 does not hold have names: the first numbers of int64 stand for
   them, in the order in which they were seen. (LONG_MIN and its like are shown without their sign.) */
static inline int64_t porf_value(porf_places* large, uint64_t value, bool is_signed) {
  const bool named = value > (uint64_t)INT64_MAX && (!is_signed || value <= (uint64_t)INT64_MIN + (1u << 31));
  return named ? INT64_MIN + 1 + porf_number(large, (const volatile void*)(uintptr_t)value) : (int64_t)value;
}

/* The names of such numbers, laid end to end, and where each ends. */
static inline void porf_large(porf_zip* zip, const porf_places* large) {
  uint64_t* numbers = (uint64_t*)calloc(large->count, sizeof(uint64_t));
  int64_t end = 0;
  char name[24];
  if (numbers == NULL) return; /* a reader misses the names */
  for (uint64_t i = 0; i <= large->mask; ++i) {
    if (large->slots[i].at != NULL) numbers[large->slots[i].number] = (uint64_t)(uintptr_t)large->slots[i].at;
  }
  for (uint32_t i = 0; i < large->count; ++i)
    end += snprintf(name, sizeof name, "%llu", (unsigned long long)numbers[i]);
  porf_column(zip, "value_names", "u1", (uint64_t)end);
  for (uint32_t i = 0; i < large->count; ++i) {
    porf_put(zip, name, (size_t)snprintf(name, sizeof name, "%llu", (unsigned long long)numbers[i]));
  }
  porf_end_column(zip);
  porf_column(zip, "value_names_ends", "i8", large->count);
  end = 0;
  for (uint32_t i = 0; i < large->count; ++i) {
    end += snprintf(name, sizeof name, "%llu", (unsigned long long)numbers[i]);
    porf_put(zip, &end, sizeof end);
  }
  porf_end_column(zip);
  free(numbers);
}

static inline int porf_fail(porf_recorder* recorder, const char* what) {
  snprintf(recorder->error, sizeof recorder->error, "%s", what);
  return -1;
}

static inline int porf_write_file(porf_recorder* recorder, FILE* file, porf_row* rows, uint64_t count,
                                  porf_places* places, const char* thread_names) {
  porf_zip zip;
  porf_places large = {NULL, 0, 0};
  memset(&zip, 0, sizeof zip);
  zip.file = file;
  for (uint32_t i = 0; i < 256; ++i) {
    uint32_t crc = i;
    for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320u : 0);
    zip.table[i] = crc;
  }
#define PORF_COLUMN(name, type, ctype, expression) \
  porf_column(&zip, name, type, count);            \
  for (uint64_t i = 0; i < count; ++i) {           \
    const porf_event* e = rows[i].event;           \
    const ctype entry = (ctype)(expression);       \
    (void)e;                                       \
    porf_put(&zip, &entry, sizeof entry);          \
  }                                                \
  porf_end_column(&zip)
  PORF_COLUMN("thread", "i4", int32_t, rows[i].thread);
  PORF_COLUMN("op", "u1", uint8_t, e->op);
  PORF_COLUMN("loc", "i4", int32_t, rows[i].location);
  PORF_COLUMN("order", "u1", uint8_t, e->order);
  PORF_COLUMN("read_value", "i8", int64_t,
              e->op == PORF_WRITE || e->op == PORF_FENCE ? INT64_MIN : porf_value(&large, e->read, e->is_signed));
  PORF_COLUMN("written_value", "i8", int64_t,
              e->op == PORF_READ || e->op == PORF_FENCE ? INT64_MIN : porf_value(&large, e->written, e->is_signed));
  if (PORF_TIME) {
    PORF_COLUMN("start", "i8", int64_t, e->start);
    PORF_COLUMN("end", "i8", int64_t, e->end);
  }
#undef PORF_COLUMN
  char* names = (char*)calloc(places->count + 1, 64);
  uint64_t* initial = (uint64_t*)calloc(places->count + 1, sizeof(uint64_t));
  if (names == NULL || initial == NULL) {
    free(names);
    free(initial);
    return porf_fail(recorder, "no memory for the locations");
  }
  for (uint64_t i = 0; places->slots != NULL && i <= places->mask; ++i) {
    if (places->slots[i].at == NULL) continue;
    snprintf(names + 64 * (size_t)places->slots[i].number, 64, "0x%llx",
             (unsigned long long)(uintptr_t)places->slots[i].at);
  }
  for (const porf_said* said = recorder->said; said != NULL; said = said->next) {
    const porf_place* place = places->slots == NULL ? NULL : porf_find(places, said->at);
    if (place == NULL || place->at == NULL) continue;
    if (said->initial) {
      initial[place->number] = said->value;
    } else {
      snprintf(names + 64 * (size_t)place->number, 64, "%s", said->name);
    }
  }
  porf_column(&zip, "init_value", "i8", places->count);
  for (uint32_t i = 0; i < places->count; ++i) {
    const int64_t value = porf_value(&large, initial[i], (int64_t)initial[i] > INT32_MIN);
    porf_put(&zip, &value, sizeof value);
  }
  porf_end_column(&zip);
  if (large.count) porf_large(&zip, &large);
  porf_names(&zip, "thread_names", thread_names, 64, recorder->count);
  porf_names(&zip, "loc_names", names, 64, places->count);
  free(names);
  free(initial);
  free(large.slots);
  const uint32_t begins = (uint32_t)zip.at;
  for (int entry = 0; entry < zip.count; ++entry) porf_header(&zip, entry, true);
  const uint32_t numbers[] = {0x06054b50, 0, 0, (uint32_t)zip.count, (uint32_t)zip.count, (uint32_t)zip.at - begins,
                              begins,     0};
  porf_numbers(&zip, "42222442", numbers);
  return 0;
}

/* Writes the history, when all threads have ended: 0, or -1 and porf_error says why. */
static inline int porf_save(porf_recorder* recorder, const char* path) {
  uint64_t count = 0, lost = 0, at = 0;
  for (const porf_thread* thread = recorder->threads; thread != NULL; thread = thread->next) {
    lost += thread->lost;
    for (const porf_chunk* chunk = thread->first; chunk != NULL; chunk = chunk->next) count += chunk->size;
  }
  if (lost) return porf_fail(recorder, "events were lost: there was no memory for them");
  if (count == 0) return porf_fail(recorder, "nothing was recorded");
  if (count > (uint64_t)80000000) return porf_fail(recorder, "more than 80,000,000 events");
  porf_places places = {NULL, 0, 0};
  porf_row* rows = (porf_row*)malloc(count * sizeof(porf_row));
  char* names = (char*)calloc(recorder->count, 64);
  int result = rows == NULL || names == NULL ? porf_fail(recorder, "no memory for the history") : 0;
  for (const porf_thread* thread = recorder->threads; thread != NULL && result == 0; thread = thread->next) {
    memcpy(names + 64 * (size_t)thread->index, thread->name, 64);
    for (const porf_chunk* chunk = thread->first; chunk != NULL; chunk = chunk->next) {
      for (uint32_t i = 0; i < chunk->size; ++i) {
        const porf_event* event = &chunk->events[i];
        rows[at].event = event;
        rows[at].thread = (int32_t)thread->index;
        rows[at++].location = event->at == NULL ? -1 : porf_number(&places, event->at);
      }
    }
  }
  if (result == 0 && PORF_TIME && !porf_sort(rows, count)) result = porf_fail(recorder, "no memory for the history");
  if (result == 0) {
    FILE* file = fopen(path, "wb");
    if (file == NULL) {
      result = porf_fail(recorder, strerror(errno));
    } else {
      result = porf_write_file(recorder, file, rows, count, &places, names);
      if ((ferror(file) | fclose(file)) && result == 0) result = porf_fail(recorder, "the file could not be written");
    }
  }
  free(rows);
  free(names);
  free(places.slots);
  return result;
}

static inline const char* porf_error(const porf_recorder* recorder) { return recorder->error; }

static inline void porf_close(porf_recorder* recorder) {
  while (recorder->threads != NULL) {
    porf_thread* thread = recorder->threads;
    recorder->threads = thread->next;
    while (thread->first != NULL) {
      porf_chunk* next = thread->first->next;
      free(thread->first);
      thread->first = next;
    }
    free(thread);
  }
  while (recorder->said != NULL) {
    porf_said* next = recorder->said->next;
    free(recorder->said);
    recorder->said = next;
  }
  free(recorder);
}

#endif
