/* The twin of `linerate capture`: receives, counts by size and protocol, drops. */
#include <stdio.h>

#include <rte_ether.h>
#include <rte_ip.h>

#include "twin.h"

#define PROTOCOLS 256
#define OTHER PROTOCOLS
#define SIZE_CLASSES 8
#define LONGEST 1519

static uint64_t by_protocol[PROTOCOLS + 1];
static uint64_t by_size[SIZE_CLASSES];
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
		by_protocol[OTHER]++;
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

static void report(void)
{
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
	return twin_serve(&twin, receive_and_drop, report);
}
