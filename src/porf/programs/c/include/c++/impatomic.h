// CDSChecker's names for what <atomic> has.
#include <stdatomic.h>
