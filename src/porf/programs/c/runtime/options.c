// Options in the arguments of main.
#include "porf.h"
#include <getopt.h>
#include <string.h>

char* optarg;
int optind = 1;
int opterr = 1;
int optopt;

int getopt(int count, char* const* arguments, const char* options) {
  static int within;  // the index of the next option in the current argument
  if (optind >= count) return -1;
  char* const at = arguments[optind];
  if (!within && (at[0] != '-' || !at[1])) return -1;
  if (!within && at[1] == '-' && !at[2]) {
    optind++;
    return -1;
  }
  if (!within) within = 1;
  const char option = at[within++];
  const char* known = options;
  while (*known && *known != option) known++;
  char* const rest = &at[within];
  const int takes = *known && known[1] == ':';
  if (takes || !*rest) {
    optind++;
    within = 0;
  }
  if (takes && *rest)
    optarg = rest;
  else if (takes && optind < count)
    optarg = arguments[optind++];
  else if (takes || !*known || option == ':') {
    optopt = option;
    return '?';
  }
  return option;
}

// Long options, in arguments that begin with --; a prefix is not enough.
int getopt_long(int count, char* const* arguments, const char* options, const struct option* known, int* index) {
  if (optind >= count) return -1;
  char* const at = arguments[optind];
  if (at[0] != '-' || at[1] != '-' || !at[2]) return getopt(count, arguments, options);
  const size_t size = strcspn(at + 2, "=");
  optind++;
  for (int i = 0; known[i].name; i++) {
    if (strncmp(known[i].name, at + 2, size) || known[i].name[size]) continue;
    if (index) *index = i;
    optarg = at[2 + size] ? at + 3 + size : 0;
    if (known[i].has_arg == required_argument && !optarg) {
      if (optind >= count) return options[0] == ':' ? ':' : '?';
      optarg = arguments[optind++];
    }
    if (!known[i].flag) return known[i].val;
    *known[i].flag = known[i].val;
    return 0;
  }
  return '?';
}

int __posix_getopt(int count, char* const* arguments, const char* options) {
  return getopt(count, arguments, options);
}
