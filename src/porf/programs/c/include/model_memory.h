// CDSChecker's allocation, which is the ordinary one here.
#ifndef PORF_MODEL_MEMORY_H
#define PORF_MODEL_MEMORY_H

#include <stdlib.h>

#define MODEL_MALLOC(n) malloc(n)
#define MODEL_CALLOC(count, n) calloc((count), (n))
#define MODEL_FREE(p) free(p)

#endif
