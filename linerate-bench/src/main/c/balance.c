/*
 * The twin of a graph with the element Balance, whose connections keep the backend that Maglev hashing gave them.
 * Program arguments besides those of twin.h: backends=N of one service, 198.51.100.1:443 and port 53 of UDP, from
 * 10.200.0.1 on; mode=translate, or direct: to the backend's Ethernet address; connections=N at most.
 */
#include <stdio.h>
#include <stdlib.h>

#include "box.h"
#include "rewrite.h"
#include "tcp.h"

#define PLACES 65537
#define MOST_BACKENDS 1024
#define EMPTY UINT16_MAX
#define SERVICE RTE_IPV4(198, 51, 100, 1)
#define FIRST_BACKEND RTE_IPV4(10, 200, 0, 1)

struct backend {
	rte_be32_t address;
	uint8_t header[16]; /* Ethernet addresses */
};

static struct sessions sessions;
static struct backend backends[MOST_BACKENDS];
static uint16_t tables[2][PLACES]; /* of UDP, of TCP */
static bool is_direct;

/* The finalizer of SplitMix64. */
static inline uint64_t mix(uint64_t value)
{
	uint64_t z = value + 0x9E3779B97F4A7C15;

	z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
	z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
	return z ^ (z >> 31);
}

/* As io.linerate.middlebox.balance.Maglev, of backends of one weight. */
static void fill_table(uint16_t *table, uint32_t count, uint16_t port)
{
	static uint32_t next[MOST_BACKENDS], skip[MOST_BACKENDS];

	for (uint32_t i = 0; i < count; i++) {
		uint64_t name = (uint64_t)(FIRST_BACKEND + i) << 16 | port;
		next[i] = mix(name) % PLACES;
		skip[i] = 1 + mix(~name) % (PLACES - 1);
	}
	memset(table, 0xFF, PLACES * sizeof(*table));
	for (uint32_t taken = 0; taken < PLACES;)
		for (uint32_t i = 0; i < count && taken < PLACES; i++, taken++) {
			while (table[next[i]] != EMPTY)
				next[i] = (next[i] + skip[i]) % PLACES;
			table[next[i]] = i;
		}
}

/* As io.linerate.wire.FlowKey, without a seed. */
static inline uint64_t endpoint(uint32_t address, uint16_t port)
{
	return mix(mix(0) + address) + port;
}

static inline uint64_t flow_hash(const struct flow *flow)
{
	uint64_t source = endpoint(rte_be_to_cpu_32(flow->addresses), rte_be_to_cpu_16(flow->kind));
	uint64_t destination = endpoint(rte_be_to_cpu_32(flow->addresses >> 32), rte_be_to_cpu_16(flow->kind >> 16));
	uint64_t value = mix(source) + destination;

	return mix(value + ((flow->kind >> 32) << 8 | 4) * 0x9E3779B97F4A7C15);
}

static inline bool is_of_service(const struct flow *flow)
{
	bool is_tcp = flow->kind >> 32 == IPPROTO_TCP;

	return (flow->addresses >> 32) == rte_cpu_to_be_32(SERVICE) &&
	       (uint16_t)(flow->kind >> 16) == rte_cpu_to_be_16(is_tcp ? 443 : 53);
}

static bool begin(struct rte_mbuf *mbuf, struct lookup *lookup, uint64_t now_ns)
{
	struct flow reply = session_reverse(&lookup->flow);
	bool is_tcp = lookup->flow.kind >> 32 == IPPROTO_TCP;

	if (!is_of_service(&lookup->flow))
		return false;
	uint32_t place = ((flow_hash(&lookup->flow) >> 32) * PLACES) >> 32;
	uint16_t backend = tables[is_tcp][place];
	if (!is_direct)
		reply.addresses = (reply.addresses & ~(uint64_t)UINT32_MAX) | backends[backend].address;
	uint32_t number = session_admit(&sessions, mbuf, lookup, &reply, now_ns);
	if (number == NO_SESSION)
		return false;
	struct session *session = &sessions.records[number];
	session->mark = backend;
	rewrite_prepare(session->changes[0], rte_cpu_to_be_32(SERVICE), 0, backends[backend].address, 0);
	return true;
}

static void balance(struct rte_mbuf **mbufs, uint16_t n, struct outcome *outcome)
{
	struct lookup lookups[MAX_BURST];
	uint64_t now_ns = session_now_ns();
	struct tally tally = {0, 0};

	sessions_look_up(&sessions, mbufs, n, lookups);
	for (uint16_t i = 0; i < n; i++) {
		uint8_t *data = rte_pktmbuf_mtod(mbufs[i], uint8_t *);
		enum relation relation = session_track(&sessions, mbufs[i], &lookups[i], now_ns);
		bool passes = relation == ESTABLISHED;
		if (unlikely(relation == FRESH))
			passes = begin(mbufs[i], &lookups[i], now_ns);
		if (likely(passes)) {
			const struct session *session = &sessions.records[lookups[i].place >> 1];
			if (is_direct)
				memcpy(data, backends[session->mark].header, 2 * RTE_ETHER_ADDR_LEN);
			else
				rewrite_destination(data, session, 0, lookups[i].flow.kind >> 32 == IPPROTO_TCP);
		}
		box_put(outcome, &tally, mbufs[i], passes);
	}
	box_end(outcome, &tally);
}

static int run(void *argument)
{
	return box_run(argument, balance, false);
}

static void report(void)
{
}

static void fill_backends(uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		const uint8_t header[12] = {2, 0, 0, 1, i >> 8, i, 2, 0, 0, 0, 0, 1};
		backends[i].address = rte_cpu_to_be_32(FIRST_BACKEND + i);
		memcpy(backends[i].header, header, sizeof(header));
	}
	fill_table(tables[0], count, 53);
	fill_table(tables[1], count, 443);
}

int main(int argc, char **argv)
{
	static struct twin twin;

	twin_open(&twin, argc, argv);
	sessions_open(&sessions, atoi(twin_option("connections", "65536")));
	sessions.picks_up = true;
	is_direct = strcmp(twin_option("mode", "translate"), "direct") == 0;
	fill_backends(RTE_MIN(atoi(twin_option("backends", "16")), MOST_BACKENDS));
	return twin_serve(&twin, run, report);
}
