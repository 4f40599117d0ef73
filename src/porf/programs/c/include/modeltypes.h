// CDSChecker's types.
#ifndef PORF_MODELTYPES_H
#define PORF_MODELTYPES_H

typedef int thread_id_t;
typedef unsigned int modelclock_t;

#define THREAD_ID_T_NONE (-1)

#endif
