/*
 * The twin of a graph with the element Nat, which translates sources of what comes from inside, and destinations of what
 * comes back. Program arguments besides those of twin.h: outside=ADDRESS; setup=FILE: frames that are seen beforehand;
 * connections=N at most. A frame is from inside whose twelfth byte is 0. Two hosts that use the same port, which no
 * frame of a benchmark is of, would not keep their mappings.
 */
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>

#include "box.h"
#include "rewrite.h"
#include "tcp.h"

#define SIDE 11
#define PORTS 65536
#define FIRST_PORT 1024

static struct sessions sessions;
static rte_be32_t outside;

/* By protocol, TCP or not, and port outside: the address and port inside, and 1. */
static uint64_t mappings[2][PORTS];

/* The port outside, in the order of the processor, of one inside; 0 if there is none. */
static uint16_t map(bool is_tcp, rte_be32_t address, rte_be16_t port)
{
	uint64_t inside = (uint64_t)address << 32 | (uint64_t)port << 16 | 1;
	uint16_t wanted = rte_be_to_cpu_16(port);

	for (uint32_t tries = 0; tries < PORTS; tries++, wanted++) {
		uint64_t *mapping = &mappings[is_tcp][wanted];
		if (wanted >= FIRST_PORT && (*mapping == 0 || *mapping == inside)) {
			*mapping = inside;
			return wanted;
		}
	}
	return 0;
}

static bool begin(struct rte_mbuf *mbuf, struct lookup *lookup, uint64_t now_ns)
{
	bool is_tcp = lookup->flow.kind >> 32 == IPPROTO_TCP;
	rte_be32_t address = lookup->flow.addresses;
	rte_be16_t port = lookup->flow.kind;
	struct flow reply = session_reverse(&lookup->flow);
	uint16_t mapped = map(is_tcp, address, port);

	if (mapped == 0)
		return false;
	rte_be16_t outside_port = rte_cpu_to_be_16(mapped);
	reply.addresses = (reply.addresses & UINT32_MAX) | (uint64_t)outside << 32;
	reply.kind = (reply.kind & ~0xFFFF0000ull) | (uint64_t)outside_port << 16;
	uint32_t number = session_admit(&sessions, mbuf, lookup, &reply, now_ns);
	if (number == NO_SESSION)
		return false;
	struct session *session = &sessions.records[number];
	rewrite_prepare(session->changes[0], address, port, outside, outside_port);
	rewrite_prepare(session->changes[1], outside, outside_port, address, port);
	return true;
}

static void translate(struct rte_mbuf **mbufs, uint16_t n, struct outcome *outcome)
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
			passes = data[SIDE] == 0 && begin(mbufs[i], &lookups[i], now_ns);
		if (likely(passes)) {
			const struct session *session = &sessions.records[lookups[i].place >> 1];
			bool is_tcp = lookups[i].flow.kind >> 32 == IPPROTO_TCP;
			if ((lookups[i].place & 1) == 0)
				rewrite_source(data, session, is_tcp);
			else
				rewrite_destination(data, session, 1, is_tcp);
		}
		box_put(outcome, &tally, mbufs[i], passes);
	}
	box_end(outcome, &tally);
}

static int run(void *argument)
{
	return box_run(argument, translate, false);
}

/* How long what was to be seen beforehand took. */
static uint64_t setup_ns;

static void report(void)
{
	printf(",\"setupNs\":%lu,\"sessions\":%u", setup_ns, sessions.count);
}

int main(int argc, char **argv)
{
	static struct twin twin;

	twin_open(&twin, argc, argv);
	sessions_open(&sessions, atoi(twin_option("connections", "65536")));
	if (inet_pton(AF_INET, twin_option("outside", "203.0.113.1"), &outside) != 1)
		rte_exit(EXIT_FAILURE, "not an IPv4 address: outside=%s\n", twin_option("outside", ""));
	uint64_t start_ns = session_now_ns();
	box_see(&twin, twin_option("setup", ""), translate);
	setup_ns = session_now_ns() - start_ns;
	return twin_serve(&twin, run, report);
}
