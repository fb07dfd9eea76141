/*
 * Connections of IPv4, as io.linerate.track has them: an index of hashes with an open address, looked up for a burst at
 * once with prefetches, and records of two lines of the cache; TCP is followed by its windows. For what tracks,
 * translates and balances.
 */
#ifndef LINERATE_SESSION_H
#define LINERATE_SESSION_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

#include <rte_hash_crc.h>
#include <rte_malloc.h>
#include <rte_prefetch.h>
#include <rte_tcp.h>
#include <rte_udp.h>

#include "twin.h"

#define NO_SESSION UINT32_MAX

/* What a packet is. */
enum relation { ESTABLISHED, INVALID, FRESH, UNTRACKED };

enum phase { TCP_OPENING, TCP_ESTABLISHED, TCP_CLOSING, TCP_CLOSED, UDP_UNANSWERED, UDP_ANSWERED, PHASES };

/* The two words that tell flows apart, in the order of the network: addresses, then ports and protocol. */
struct flow {
	uint64_t addresses; /* destination 32 | source 32 */
	uint64_t kind;	    /* protocol 32 | destination port 16 | source port 16 */
};

struct tcp_side {
	uint32_t end, most, acknowledged;
	uint16_t window;
	uint8_t flags, scale;
};

struct session {
	struct flow flows[2]; /* of who has begun it, of the reply */
	uint64_t expires_ns;
	uint32_t state;
	uint32_t phase;
	uint64_t mark;
	uint16_t changes[2][2]; /* of the checksums of IP and of what it carries, by direction: see rewrite.h */
	uint64_t packets[2];
	uint64_t bytes[2];
	struct tcp_side tcp[2];
} __rte_cache_aligned;

_Static_assert(sizeof(struct session) == 2 * RTE_CACHE_LINE_SIZE, "a session has two lines");

#define REPLIED 2
#define ASSURED 4

struct sessions {
	uint64_t *index; /* tag 32 | place and one more */
	uint32_t mask;
	uint32_t count, capacity;
	struct session *records;
	uint64_t timeouts_ns[PHASES];
	bool picks_up; /* connections of TCP that were not seen to begin */
};

/* Of one packet: what was found in it. */
struct lookup {
	struct flow flow;
	uint32_t hash;
	uint32_t place; /* twice the number of its session, and one more for the reply; or NO_SESSION */
	bool is_flow, is_bad;
};

#define L3 sizeof(struct rte_ether_hdr)
#define L4 (L3 + sizeof(struct rte_ipv4_hdr))

static inline void sessions_open(struct sessions *all, uint32_t capacity)
{
	static const uint64_t seconds[PHASES] = {240, 7440, 240, 10, 120, 300};

	all->capacity = capacity;
	all->mask = rte_align32pow2(capacity) * 8 - 1;
	all->index = rte_zmalloc("index", (all->mask + 1ull) * sizeof(*all->index), RTE_CACHE_LINE_SIZE);
	all->records = rte_zmalloc("sessions", (uint64_t)capacity * sizeof(*all->records), RTE_CACHE_LINE_SIZE);
	if (all->index == NULL || all->records == NULL)
		rte_exit(EXIT_FAILURE, "no memory for connections: capacity=%u\n", capacity);
	for (int i = 0; i < PHASES; i++)
		all->timeouts_ns[i] = seconds[i] * 1000000000ull;
}

static inline uint64_t session_now_ns(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static inline uint32_t session_hash(const struct flow *flow)
{
	return rte_hash_crc_8byte(flow->kind, rte_hash_crc_8byte(flow->addresses, 0x12345678));
}

static inline struct flow session_reverse(const struct flow *flow)
{
	return (struct flow){
		.addresses = flow->addresses << 32 | flow->addresses >> 32,
		.kind = (flow->kind & 0xFFFFFFFF00000000) | (flow->kind & 0xFFFF) << 16 | (flow->kind >> 16 & 0xFFFF),
	};
}

/* Addresses and ports of a whole packet of TCP or UDP over IPv4 without options. */
static inline void session_read(const struct rte_mbuf *mbuf, struct lookup *lookup)
{
	const uint8_t *data = rte_pktmbuf_mtod(mbuf, const uint8_t *);
	const struct rte_ipv4_hdr *ip = (const struct rte_ipv4_hdr *)(data + L3);
	uint32_t length = rte_pktmbuf_data_len(mbuf);
	uint32_t ports;
	uint64_t word;

	memcpy(&word, data + offsetof(struct rte_ether_hdr, ether_type), sizeof(word));
	lookup->is_flow = false;
	lookup->hash = 0;
	lookup->flow = (struct flow){0, 0};
	lookup->is_bad = (word & 0xFFFF) == 0x0008;
	if (length < L4 + sizeof(struct rte_udp_hdr) || (word & 0xFFFFFF) != 0x450008)
		return;
	uint32_t total = rte_bswap16(word >> 32);
	uint32_t least = sizeof(*ip) + (ip->next_proto_id == IPPROTO_TCP ? sizeof(struct rte_tcp_hdr)
									  : sizeof(struct rte_udp_hdr));
	if (L3 + total > length || total < least || (ip->fragment_offset & 0xFF3F) != 0 ||
	    (ip->next_proto_id != IPPROTO_TCP && ip->next_proto_id != IPPROTO_UDP))
		return;
	memcpy(&lookup->flow.addresses, &ip->src_addr, sizeof(uint64_t));
	memcpy(&ports, data + L4, sizeof(ports));
	lookup->flow.kind = (uint64_t)ip->next_proto_id << 32 | ports;
	lookup->hash = session_hash(&lookup->flow);
	lookup->is_flow = true;
	lookup->is_bad = false;
}

static inline bool session_is(const struct sessions *all, uint32_t place, const struct flow *flow)
{
	const struct flow *own = &all->records[place >> 1].flows[place & 1];

	return own->addresses == flow->addresses && own->kind == flow->kind;
}

static inline uint32_t session_find(const struct sessions *all, const struct flow *flow, uint32_t hash)
{
	for (uint32_t at = hash & all->mask;; at = (at + 1) & all->mask) {
		uint64_t word = all->index[at];
		if (word == 0)
			return NO_SESSION;
		if ((uint32_t)(word >> 32) == hash && session_is(all, (uint32_t)word - 1, flow))
			return (uint32_t)word - 1;
	}
}

/* Where packets probably lead to: what is waited for from memory comes together. */
static inline void sessions_look_up(const struct sessions *all, struct rte_mbuf **mbufs, uint16_t n,
				    struct lookup *lookups)
{
	for (uint16_t i = 0; i < n; i++) {
		session_read(mbufs[i], &lookups[i]);
		rte_prefetch0(&all->index[lookups[i].hash & all->mask]);
	}
	for (uint16_t i = 0; i < n; i++) {
		lookups[i].place = NO_SESSION;
		if (!lookups[i].is_flow)
			continue;
		for (uint32_t at = lookups[i].hash & all->mask;; at = (at + 1) & all->mask) {
			uint64_t word = all->index[at];
			if ((uint32_t)(word >> 32) == lookups[i].hash || word == 0) {
				lookups[i].place = (uint32_t)word - 1;
				break;
			}
		}
		if (lookups[i].place != NO_SESSION) {
			rte_prefetch0(&all->records[lookups[i].place >> 1]);
			rte_prefetch0((const uint8_t *)&all->records[lookups[i].place >> 1] + RTE_CACHE_LINE_SIZE);
		}
	}
}

static inline void session_enter(struct sessions *all, const struct flow *flow, uint32_t place)
{
	uint32_t hash = session_hash(flow);
	uint32_t at = hash & all->mask;

	while (all->index[at] != 0)
		at = (at + 1) & all->mask;
	all->index[at] = (uint64_t)hash << 32 | (place + 1);
}

/* Adds a session, or returns NO_SESSION if there is no room: none goes in a benchmark. */
static inline uint32_t session_add(struct sessions *all, const struct flow *flow, const struct flow *reply,
				   uint32_t phase, uint64_t now_ns)
{
	if (all->count == all->capacity)
		return NO_SESSION;
	uint32_t number = all->count++;
	struct session *session = &all->records[number];
	session->flows[0] = *flow;
	session->flows[1] = *reply;
	session->phase = phase;
	session->expires_ns = now_ns + all->timeouts_ns[phase];
	session_enter(all, flow, 2 * number);
	session_enter(all, reply, 2 * number + 1);
	return number;
}

#endif
