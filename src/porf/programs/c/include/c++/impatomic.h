// Names of CDSChecker for what <atomic> has.
#include <stdatomic.h>
