/*
 * The twin of io.linerate.filter: which packets that lie in memory a filter accepts. Program arguments besides those of
 * twin.h, whose port is not used: frames=FILE, see frames.h; filter=TEXT; way=best, the filter of FilterBenchmark written
 * by hand; or pcap: libpcap's interpreter, bpf_filter(), which runs the program that its compiler makes of TEXT.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <pcap/pcap.h>
#include <rte_byteorder.h>

#include "frames.h"
#include "twin.h"

static struct rte_mbuf **packets;
static uint64_t packet_count;
static struct bpf_program program;
static uint64_t digest;

static inline uint16_t u16(const uint8_t *data)
{
	uint16_t value;

	memcpy(&value, data, sizeof(value));
	return rte_be_to_cpu_16(value);
}

static inline uint32_t u32(const uint8_t *data)
{
	uint32_t value;

	memcpy(&value, data, sizeof(value));
	return rte_be_to_cpu_32(value);
}

/* tcp and dst port 443 and src net 10.0.0.0/8 and not host 10.1.2.3 and len >= 64 */
static inline bool best_accepts(const struct rte_mbuf *packet)
{
	const uint8_t *data = rte_pktmbuf_mtod(packet, const uint8_t *);
	uint32_t length = rte_pktmbuf_pkt_len(packet);

	if (length < 64 || u16(data + 12) != 0x0800 || data[23] != IPPROTO_TCP || (u16(data + 20) & 0x1FFF) != 0)
		return false;
	uint32_t header = (data[14] & 0xF) << 2;

	if (14 + header + 4 > length || u16(data + 14 + header + 2) != 443)
		return false;
	uint32_t source = u32(data + 26);

	return source >> 24 == 10 && source != 0x0A010203 && u32(data + 30) != 0x0A010203;
}

static inline bool pcap_accepts(const struct rte_mbuf *packet)
{
	uint32_t length = rte_pktmbuf_pkt_len(packet);

	return bpf_filter(program.bf_insns, rte_pktmbuf_mtod(packet, const u_char *), length, length) != 0;
}

#define LOOP(name, accepts)                                                                                            \
	static int name(void *argument)                                                                                \
	{                                                                                                              \
		struct twin *twin = argument;                                                                          \
		volatile uint64_t sink;                                                                                \
		uint64_t at = 0, sum = 0;                                                                              \
                                                                                                                       \
		while (!twin->stop) {                                                                                  \
			for (uint16_t i = 0; i < twin->burst; i++)                                                     \
				if (accepts(packets[at + i]))                                                          \
					sum++;                                                                         \
			sink = sum;                                                                                    \
			at = (at + twin->burst) & (packet_count - 1);                                                  \
			twin->counters.received += twin->burst;                                                        \
		}                                                                                                      \
		(void)sink;                                                                                            \
		return 0;                                                                                              \
	}

LOOP(best, best_accepts)
LOOP(pcap, pcap_accepts)

static void compile(const char *text)
{
	pcap_t *dead = pcap_open_dead(DLT_EN10MB, 262144);

	if (dead == NULL || pcap_compile(dead, &program, text, 1, PCAP_NETMASK_UNKNOWN) < 0)
		rte_exit(EXIT_FAILURE, "filter cannot be compiled: filter=%s\n", text);
	pcap_close(dead);
}

static void report(void)
{
	printf(",\"digest\":\"%lx\"", digest);
}

int main(int argc, char **argv)
{
	static struct twin twin;
	const char *way;

	twin_open(&twin, argc, argv);
	packets = frames_read(twin_option("frames", "frames"), FRAMES_SLOT, &packet_count);
	way = twin_option("way", "best");
	bool is_best = strcmp(way, "best") == 0;

	if (!is_best && strcmp(way, "pcap") != 0)
		rte_exit(EXIT_FAILURE, "no such way: way=%s; give best or pcap\n", way);
	compile(twin_option("filter", ""));
	for (uint64_t i = 0; i < packet_count; i++)
		digest = digest * 31 + (is_best ? best_accepts(packets[i]) : pcap_accepts(packets[i]));
	return twin_serve(&twin, is_best ? best : pcap, report);
}
