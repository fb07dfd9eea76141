/* Routes by the longest prefix, in one of the tables that DPDK has. */
#ifndef LINERATE_ROUTES_H
#define LINERATE_ROUTES_H

#include <stdint.h>

/* In place of a hop: there is no route. */
#define NO_HOP 0xFF

#define MAX_HOPS 64

/* The hops of n destinations of IPv4, in the order of the processor. */
typedef void (*lookup4)(const uint32_t *destinations, uint64_t *hops, uint16_t n);

/* The hops of n destinations of IPv6. */
typedef void (*lookup6)(uint8_t destinations[][16], uint64_t *hops, uint16_t n);

struct routes {
	lookup4 find4;
	lookup6 find6;
};

/*
 * Reads a file of lines "PREFIX/BITS HOP" with hops of 0 to 63. The table is lpm: rte_lpm and rte_lpm6 with their bulk
 * functions; usual: the same, one address after the other; or fib: rte_fib and rte_fib6 by the fastest of their
 * algorithms here. Ends the process if it cannot.
 */
struct routes routes_read(const char *file, const char *table);

#endif
