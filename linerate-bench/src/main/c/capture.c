/*
 * The twin of `linerate capture`: receives, counts by size and protocol, drops. Program arguments besides those of
 * twin.h: way=best, or usual: as the examples of DPDK do it.
 */
#include <stdio.h>
#include <string.h>

#include <rte_ether.h>
#include <rte_ip.h>

#include "twin.h"

#define PROTOCOLS 256
#define OTHER PROTOCOLS
#define SIZE_CLASSES 8
#define LONGEST 1519
#define BANKS 2

static uint64_t by_protocol[PROTOCOLS + 1];
static uint64_t by_size[SIZE_CLASSES];

/*
 * What is counted in the best way: lengths as they are, and by two in turn, since a count that was just written is
 * waited for.
 */
static uint64_t protocols[BANKS][PROTOCOLS + 1];
static uint64_t lengths[BANKS][LONGEST + 1];

static uint8_t class_of_length[LONGEST + 1];

/* The classes of the Ethernet statistics of RMON, RFC 2819, section 5. */
static void fill_classes(void)
{
	static const int max_bytes[] = {63, 64, 127, 255, 511, 1023, 1518};
	uint8_t size_class = 0;

	for (int length = 0; length <= LONGEST; length++) {
		if (size_class < SIZE_CLASSES - 1 && length > max_bytes[size_class])
			size_class++;
		class_of_length[length] = size_class;
	}
}

static inline uint32_t ipv6_protocol(const uint8_t *data, uint32_t length)
{
	return twin_is_ipv6(data, length) ?
		       data[sizeof(struct rte_ether_hdr) + offsetof(struct rte_ipv6_hdr, proto)] :
		       OTHER;
}

static inline void count(const struct rte_mbuf *mbuf)
{
	uint32_t length = rte_pktmbuf_pkt_len(mbuf);
	const struct rte_ether_hdr *ether = rte_pktmbuf_mtod(mbuf, const struct rte_ether_hdr *);
	const struct rte_ipv4_hdr *ip = (const struct rte_ipv4_hdr *)(ether + 1);

	by_size[class_of_length[RTE_MIN(length, (uint32_t)LONGEST)]]++;
	if (length >= sizeof(*ether) + sizeof(*ip) && ether->ether_type == rte_cpu_to_be_16(RTE_ETHER_TYPE_IPV4) &&
	    ip->version_ihl == 0x45 && rte_be_to_cpu_16(ip->total_length) >= sizeof(*ip))
		by_protocol[ip->next_proto_id]++;
	else
		by_protocol[ipv6_protocol((const uint8_t *)ether, length)]++;
}

static int receive_and_drop(void *argument)
{
	struct twin *twin = argument;
	struct rte_mbuf *mbufs[MAX_BURST];

	while (!twin->stop) {
		uint16_t n = rte_eth_rx_burst(twin->in, 0, mbufs, twin->burst);
		if (n == 0)
			continue;
		for (uint16_t i = 0; i < n; i++)
			count(mbufs[i]);
		rte_pktmbuf_free_bulk(mbufs, n);
		twin->counters.received += n;
		twin->counters.dropped += n;
	}
	return 0;
}

/* Counts a packet, and sees whether it goes home with the others. */
static inline void count_lean(const struct rte_mbuf *mbuf, const struct rte_mempool *pool, int bank,
			      struct twin_seen *seen)
{
	const uint8_t *data = rte_pktmbuf_mtod(mbuf, const uint8_t *);
	uint32_t length = rte_pktmbuf_pkt_len(mbuf);
	uint32_t protocol;
	uint64_t word;

	/* Ether type, version, header length, TOS, total length: in the order of the processor. */
	memcpy(&word, data + offsetof(struct rte_ether_hdr, ether_type), sizeof(word));
	lengths[bank][RTE_MIN(length, (uint32_t)LONGEST)]++;
	if (length >= sizeof(struct rte_ether_hdr) + sizeof(struct rte_ipv4_hdr) && (word & 0xFFFFFF) == 0x450008 &&
	    rte_bswap16(word >> 32) >= sizeof(struct rte_ipv4_hdr))
		protocol = data[sizeof(struct rte_ether_hdr) + offsetof(struct rte_ipv4_hdr, next_proto_id)];
	else
		protocol = ipv6_protocol(data, length);
	protocols[bank][protocol]++;
	twin_see(seen, mbuf, pool);
}

static int receive_and_drop_best(void *argument)
{
	struct twin *twin = argument;
	struct rte_mbuf *mbufs[MAX_BURST];

	while (!twin->stop) {
		uint16_t n = rte_eth_rx_burst(twin->in, 0, mbufs, twin->burst);
		struct twin_seen seen = {0};
		uint16_t i = 0;

		if (n == 0)
			continue;
		for (; i + 1 < n; i += BANKS) {
			count_lean(mbufs[i], mbufs[0]->pool, 0, &seen);
			count_lean(mbufs[i + 1], mbufs[0]->pool, 1, &seen);
		}
		if (i < n)
			count_lean(mbufs[i], mbufs[0]->pool, 0, &seen);
		twin_free(mbufs, n, twin_are_plain(&seen));
		twin->counters.received += n;
		twin->counters.dropped += n;
	}
	return 0;
}

static void fold_lean(void)
{
	for (int bank = 0; bank < BANKS; bank++) {
		for (int length = 0; length <= LONGEST; length++)
			by_size[class_of_length[length]] += lengths[bank][length];
		for (int protocol = 0; protocol <= OTHER; protocol++)
			by_protocol[protocol] += protocols[bank][protocol];
	}
}

static void report(void)
{
	fold_lean();
	printf(",\"bySize\":[");
	for (int i = 0; i < SIZE_CLASSES; i++)
		printf("%s%lu", i == 0 ? "" : ",", by_size[i]);
	printf("],\"tcp\":%lu,\"udp\":%lu,\"icmp\":%lu", by_protocol[IPPROTO_TCP], by_protocol[IPPROTO_UDP],
	       by_protocol[IPPROTO_ICMP]);
}

int main(int argc, char **argv)
{
	static struct twin twin;
	fill_classes();
	twin_open(&twin, argc, argv);
	bool is_usual = strcmp(twin_option("way", "best"), "usual") == 0;
	return twin_serve(&twin, is_usual ? receive_and_drop : receive_and_drop_best, report);
}
