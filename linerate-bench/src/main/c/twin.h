/* What the C twins share: starting DPDK, filling the pool with frames, and taking orders from the harness. */
#ifndef LINERATE_TWIN_H
#define LINERATE_TWIN_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include <rte_ethdev.h>
#include <rte_ether.h>
#include <rte_ip.h>
#include <rte_mbuf.h>

#define MAX_BURST 512

/* Written by the worker only, on a cache line of its own. */
struct twin_counters {
	uint64_t received;
	uint64_t sent;
	uint64_t dropped;
} __rte_cache_aligned;

struct twin {
	uint16_t in;  /* the first port of the command line */
	uint16_t out; /* the last */
	uint16_t burst;
	struct rte_mempool *pool;
	volatile bool stop;
	struct twin_counters counters;
};

/*
 * Starts the EAL with the arguments before "--" and opens its ports, each with one queue each way. Ends the process
 * with a message on failure. Program arguments after "--" are KEY=VALUE: burst (1 to 512), buffers, room (bytes of
 * data in a buffer), and frame: the bytes of the frame to write into every buffer, for net_null, which leaves buffers
 * as they are.
 */
void twin_open(struct twin *twin, int argc, char **argv);

/* What was seen of packets that are to be freed together. */
struct twin_seen {
	uint64_t shape, flags, pools;
};

/* References and number of segments in the eight bytes of rearm_data, and those of one segment that is not shared. */
#define TWIN_SHAPE 0x0000FFFFFFFF0000
#define TWIN_PLAIN_SHAPE 0x0000000100010000

static inline void twin_see(struct twin_seen *seen, const struct rte_mbuf *mbuf, const struct rte_mempool *pool)
{
	uint64_t rearm;

	memcpy(&rearm, mbuf->rearm_data, sizeof(rearm));
	seen->shape |= rearm;
	seen->flags |= mbuf->ol_flags;
	seen->pools |= (uintptr_t)mbuf->pool ^ (uintptr_t)pool;
}

/* Whether all that were seen are of one pool, of one segment, direct and not shared. */
static inline bool twin_are_plain(const struct twin_seen *seen)
{
	return (seen->shape & TWIN_SHAPE) == TWIN_PLAIN_SHAPE &&
	       (seen->flags & (RTE_MBUF_F_INDIRECT | RTE_MBUF_F_EXTERNAL)) == 0 && seen->pools == 0;
}

/*
 * Frees a burst. rte_pktmbuf_free_bulk() looks at each packet with several branches, and collects them again by their
 * pools; most bursts are of one pool, and go home with one call.
 */
static inline void twin_free(struct rte_mbuf **mbufs, uint16_t n, bool are_plain)
{
	if (n == 0)
		return;
	if (are_plain)
		rte_mempool_put_bulk(mbufs[0]->pool, (void **)mbufs, n);
	else
		rte_pktmbuf_free_bulk(mbufs, n);
}

#define TWIN_IPV6_BYTES (sizeof(struct rte_ether_hdr) + sizeof(struct rte_ipv6_hdr))

/* Whether a frame has IPv6 without a VLAN tag in front, whose payload is whole. No frame of a benchmark has extension headers. */
static inline bool twin_is_ipv6(const uint8_t *data, uint32_t length)
{
	uint64_t word; /* ether type, version, traffic class, flow label, payload length, in the order of the processor */

	if (length < TWIN_IPV6_BYTES)
		return false;
	memcpy(&word, data + offsetof(struct rte_ether_hdr, ether_type), sizeof(word));
	return (word & 0xF0FFFF) == 0x60DD86 && rte_bswap16(word >> 48) + TWIN_IPV6_BYTES <= length;
}

/* The value of a program argument, the last if there are several, or what to take when there is none. */
const char *twin_option(const char *key, const char *by_default);

/*
 * Runs work on the one worker lcore and answers orders on standard input: "measure MS" prints "nanoseconds received
 * sent dropped", the differences over that time; "counts" the same since the start. At the end of the input the worker
 * is ended, and report prints what it counted as the members of a JSON object, each after a comma.
 */
int twin_serve(struct twin *twin, int (*work)(void *), void (*report)(void));

#endif
