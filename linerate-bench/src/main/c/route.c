/*
 * The twin of a graph with the element Route: packets of IPv4 and IPv6 to the next hops of their destinations' routes,
 * with one hop less and other Ethernet addresses. Program arguments besides those of twin.h: rules=FILE of routes and
 * table=fib|lpm|usual, see routes.h; free=best, or usual: as the examples of DPDK do it.
 */
#include <stdio.h>
#include <stdlib.h>

#include "box.h"
#include "routes.h"
#include "twin.h"

#define ADDRESSES (2 * RTE_ETHER_ADDR_LEN)
#define IP sizeof(struct rte_ether_hdr)

static struct routes routes;
static bool frees_as_usual;
static uint8_t headers[NO_HOP + 1][16];

static void fill_headers(void)
{
	for (int hop = 0; hop < MAX_HOPS; hop++) {
		const uint8_t header[ADDRESSES] = {2, 0, 0, 0, 1, hop, 2, 0, 0, 0, 0, 1};
		memcpy(headers[hop], header, sizeof(header));
	}
}

/* Ether type, version, header length, TOS, total length: in the order of the processor. */
static inline bool is_ipv4(const uint8_t *data, uint32_t length)
{
	uint64_t word;

	memcpy(&word, data + offsetof(struct rte_ether_hdr, ether_type), sizeof(word));
	return length >= IP + sizeof(struct rte_ipv4_hdr) && (word & 0xFFFFFF) == 0x450008 &&
	       rte_bswap16(word >> 32) >= sizeof(struct rte_ipv4_hdr);
}

/* RFC 1624, equation 3, for a word that is less by 0x100. */
static inline bool lose_hop4(uint8_t *data)
{
	struct rte_ipv4_hdr *ip = (struct rte_ipv4_hdr *)(data + IP);
	uint32_t sum = ip->hdr_checksum + rte_cpu_to_be_16(0x100);

	if (ip->time_to_live <= 1)
		return false;
	ip->hdr_checksum = sum + (sum >= 0xFFFF);
	ip->time_to_live--;
	return true;
}

static inline bool lose_hop6(uint8_t *data)
{
	struct rte_ipv6_hdr *ip = (struct rte_ipv6_hdr *)(data + IP);

	if (ip->hop_limits <= 1)
		return false;
	ip->hop_limits--;
	return true;
}

static inline bool leave(struct rte_mbuf *mbuf, uint64_t hop, bool (*lose_hop)(uint8_t *))
{
	uint8_t *data = rte_pktmbuf_mtod(mbuf, uint8_t *);

	if (hop >= NO_HOP || !lose_hop(data))
		return false;
	memcpy(data, headers[hop], ADDRESSES);
	return true;
}

/* Groups, and all hosts. */
static inline bool is_local4(uint32_t destination)
{
	return destination >> 28 >= 14;
}

/* Groups, and addresses of the link alone. */
static inline bool is_local6(const uint8_t *destination)
{
	return destination[0] == 0xFF || (destination[0] == 0xFE && destination[1] >> 6 == 2);
}

/* A burst in which all packets are of IPv4; says how many of them, from the first on, are. */
static uint16_t read4(struct rte_mbuf **mbufs, uint16_t n, uint32_t *destinations)
{
	for (uint16_t i = 0; i < n; i++) {
		const uint8_t *data = rte_pktmbuf_mtod(mbufs[i], const uint8_t *);
		rte_be32_t destination;
		if (!is_ipv4(data, rte_pktmbuf_data_len(mbufs[i])))
			return i;
		memcpy(&destination, data + IP + offsetof(struct rte_ipv4_hdr, dst_addr), sizeof(destination));
		destinations[i] = rte_be_to_cpu_32(destination);
	}
	return n;
}

static uint16_t read6(struct rte_mbuf **mbufs, uint16_t n, uint8_t destinations[][16])
{
	for (uint16_t i = 0; i < n; i++) {
		const uint8_t *data = rte_pktmbuf_mtod(mbufs[i], const uint8_t *);
		if (!twin_is_ipv6(data, rte_pktmbuf_data_len(mbufs[i])))
			return i;
		memcpy(destinations[i], data + IP + offsetof(struct rte_ipv6_hdr, dst_addr), 16);
	}
	return n;
}

/* In runs of packets of one version. */
static void route_burst(struct rte_mbuf **mbufs, uint16_t n, struct outcome *outcome)
{
	union {
		uint32_t of4[MAX_BURST];
		uint8_t of6[MAX_BURST][16];
	} destinations;
	uint64_t hops[MAX_BURST];
	struct tally tally = {0, 0};

	for (uint16_t at = 0; at < n;) {
		uint16_t run = read4(mbufs + at, n - at, destinations.of4);
		if (run > 0) {
			routes.find4(destinations.of4, hops, run);
			for (uint16_t i = 0; i < run; i++)
				box_put(outcome, &tally, mbufs[at + i],
					!is_local4(destinations.of4[i]) && leave(mbufs[at + i], hops[i], lose_hop4));
		} else if ((run = read6(mbufs + at, n - at, destinations.of6)) > 0) {
			routes.find6(destinations.of6, hops, run);
			for (uint16_t i = 0; i < run; i++)
				box_put(outcome, &tally, mbufs[at + i],
					!is_local6(destinations.of6[i]) && leave(mbufs[at + i], hops[i], lose_hop6));
		} else {
			run = 1;
			box_put(outcome, &tally, mbufs[at], false);
		}
		at += run;
	}
	box_end(outcome, &tally);
}

static int route(void *argument)
{
	return box_run(argument, route_burst, frees_as_usual);
}

static void report(void)
{
}

int main(int argc, char **argv)
{
	static struct twin twin;
	twin_open(&twin, argc, argv);
	fill_headers();
	routes = routes_read(twin_option("rules", "routes"), twin_option("table", "lpm"));
	frees_as_usual = strcmp(twin_option("free", "best"), "usual") == 0;
	return twin_serve(&twin, route, report);
}
