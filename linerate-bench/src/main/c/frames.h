/* Frames in memory: what twins go through that need no port. */
#ifndef LINERATE_FRAMES_H
#define LINERATE_FRAMES_H

#include <stdint.h>

#include <rte_mbuf.h>

/*
 * Reads a file of slots of so many bytes, the last two the frame's length in network order, their number a power of two.
 * A header and its data lie beside each other, as a pool has them. Ends the process on failure.
 */
struct rte_mbuf **frames_read(const char *file, uint32_t slot, uint64_t *count);

/* The bytes of slots of short frames. */
#define FRAMES_SLOT 128

#endif
