/*
 * Sends frames to port 0 at a steady rate, receives them from port 1, and tells how long they were away.
 *
 * A frame carries the time at which it was due to be sent, not that at which it was: if the forwarder, or this program,
 * stands still, the frames that had to wait say so. (Gil Tene calls the opposite coordinated omission.)
 *
 * Orders on standard input: "run PACKETS-PER-SECOND MS"; 0 is as fast as the ring takes them. The answer is a line
 * "sent received wrong duration-ns worst-ns own-pause-ns", a line "delay-ns count" for each class of delays that occurred, and a
 * line "end". A class is at most 0.1 % wide.
 */
#include <stdio.h>
#include <string.h>

#include <rte_cycles.h>
#include <rte_ether.h>
#include <rte_ip.h>
#include <rte_udp.h>

#include "port.h"

#define FRAME_BYTES 64
#define STAMP_OFFSET 42
#define SERIAL_OFFSET 50
#define PEERS_TIMEOUT_MS 10000
#define LAST_WAIT_MS 50

/* Delays below 2048 ns have a class each; above, each power of two has 1024. */
#define HALF_BITS 10
#define HALF (1u << HALF_BITS)
#define CLASSES (HALF * 44)

/* Of a serial number: the frame's in its run, below the run's. */
#define RUN_SHIFT 48

struct run {
	uint64_t sent;
	uint64_t received;
	uint64_t wrong;
	uint64_t duration_ns;
	uint64_t worst_ns;
	uint64_t pause_ns;
};

static struct rte_mempool *pool;
static uint8_t frame[FRAME_BYTES];
static uint32_t classes[CLASSES];
static uint64_t hz;
static uint64_t run_number;  /* in the upper bits of the serial numbers */
static uint64_t next_serial; /* of the next frame to be received */

static uint64_t to_ns(uint64_t cycles)
{
	return (uint64_t)((double)cycles * 1e9 / (double)hz);
}

static uint32_t class_of(uint64_t ns)
{
	if (ns < 2 * HALF)
		return (uint32_t)ns;
	uint32_t shift = 63 - (uint32_t)__builtin_clzll(ns) - HALF_BITS;
	uint32_t class = shift * HALF + (uint32_t)(ns >> shift);
	return class < CLASSES ? class : CLASSES - 1;
}

static uint64_t delay_of(uint32_t class)
{
	if (class < 2 * HALF)
		return class;
	uint32_t shift = class / HALF - 1;
	return (uint64_t)(class - shift * HALF) << shift;
}

static void write_template(void)
{
	struct rte_ether_hdr *ether = (struct rte_ether_hdr *)frame;
	struct rte_ipv4_hdr *ip = (struct rte_ipv4_hdr *)(ether + 1);
	struct rte_udp_hdr *udp = (struct rte_udp_hdr *)(ip + 1);

	ether->ether_type = rte_cpu_to_be_16(RTE_ETHER_TYPE_IPV4);
	ip->version_ihl = 0x45;
	ip->total_length = rte_cpu_to_be_16(FRAME_BYTES - sizeof(*ether));
	ip->time_to_live = 64;
	ip->next_proto_id = IPPROTO_UDP;
	ip->src_addr = rte_cpu_to_be_32(0x0A000001);
	ip->dst_addr = rte_cpu_to_be_32(0x0A010001);
	ip->hdr_checksum = rte_ipv4_cksum(ip);
	udp->dgram_len = rte_cpu_to_be_16(FRAME_BYTES - sizeof(*ether) - sizeof(*ip));
}

/* Sends up to count frames, due at due, due + period ...; returns how many the ring took. */
static uint16_t send_frames(uint64_t serial, double due, double period, uint16_t count)
{
	struct rte_mbuf *mbufs[BURST];

	if (rte_pktmbuf_alloc_bulk(pool, mbufs, count) != 0)
		return 0;
	for (uint16_t i = 0; i < count; i++) {
		uint8_t *data = rte_pktmbuf_mtod(mbufs[i], uint8_t *);
		uint64_t stamp = (uint64_t)(due + period * i);
		uint64_t number = (run_number << RUN_SHIFT) + serial + i;
		memcpy(data, frame, FRAME_BYTES);
		memcpy(data + STAMP_OFFSET, &stamp, sizeof(stamp));
		memcpy(data + SERIAL_OFFSET, &number, sizeof(number));
		mbufs[i]->data_len = FRAME_BYTES;
		mbufs[i]->pkt_len = FRAME_BYTES;
	}
	uint16_t taken = rte_eth_tx_burst(0, 0, mbufs, count);
	if (taken < count)
		rte_pktmbuf_free_bulk(mbufs + taken, count - taken);
	return taken;
}

/* Whether the frame is of this run: one that comes back after its run has ended is nobody's. */
static bool record(struct run *run, const struct rte_mbuf *mbuf, uint64_t now)
{
	const uint8_t *data = rte_pktmbuf_mtod(mbuf, const uint8_t *);
	uint64_t stamp;
	uint64_t serial;

	memcpy(&stamp, data + STAMP_OFFSET, sizeof(stamp));
	memcpy(&serial, data + SERIAL_OFFSET, sizeof(serial));
	if (serial >> RUN_SHIFT != run_number)
		return false;
	/* Lost frames leave gaps; order and content must stay, but for the byte that a forwarder touches. */
	if (rte_pktmbuf_pkt_len(mbuf) != FRAME_BYTES || serial < next_serial || data[TOUCHED_BYTE] != 1 ||
	    memcmp(data, frame, TOUCHED_BYTE) != 0 ||
	    memcmp(data + TOUCHED_BYTE + 1, frame + TOUCHED_BYTE + 1, STAMP_OFFSET - TOUCHED_BYTE - 1) != 0)
		run->wrong++;
	next_serial = serial + 1;
	uint64_t delay_ns = now > stamp ? to_ns(now - stamp) : 0;
	classes[class_of(delay_ns)]++;
	if (delay_ns > run->worst_ns)
		run->worst_ns = delay_ns;
	return true;
}

static void receive(struct run *run)
{
	struct rte_mbuf *mbufs[BURST];
	uint16_t n = rte_eth_rx_burst(1, 0, mbufs, BURST);

	if (n == 0)
		return;
	uint64_t now = rte_rdtsc();
	for (uint16_t i = 0; i < n; i++)
		run->received += record(run, mbufs[i], now);
	rte_pktmbuf_free_bulk(mbufs, n);
}

/* What is due now, a burst at most. */
static uint16_t due_frames(const struct run *run, uint64_t start, uint64_t now, double period)
{
	if (period == 0)
		return BURST;
	double count = (double)(now - start) / period + 1 - (double)run->sent;
	return count < 1 ? 0 : count > BURST ? BURST : (uint16_t)count;
}

static struct run measure(double packets_per_s, uint64_t ms)
{
	struct run run = {0};
	double period = packets_per_s == 0 ? 0 : (double)hz / packets_per_s;
	uint64_t start = rte_rdtsc();
	uint64_t end = start + ms * hz / 1000;
	uint64_t before = start;
	uint64_t now = start;

	run_number++;
	next_serial = run_number << RUN_SHIFT;
	memset(classes, 0, sizeof(classes));
	while (now < end) {
		uint16_t due = due_frames(&run, start, now, period);
		if (due > 0) {
			double first = period == 0 ? (double)now : (double)start + period * (double)run.sent;
			run.sent += send_frames(run.sent, first, period, due);
		}
		receive(&run);
		now = rte_rdtsc();
		if (now - before > run.pause_ns)
			run.pause_ns = now - before;
		before = now;
	}
	run.duration_ns = to_ns(now - start);
	run.pause_ns = to_ns(run.pause_ns);
	uint64_t last = now + LAST_WAIT_MS * hz / 1000;
	while (run.received < run.sent && rte_rdtsc() < last)
		receive(&run);
	return run;
}

static void report(const struct run *run)
{
	printf("%lu %lu %lu %lu %lu %lu\n", run->sent, run->received, run->wrong, run->duration_ns, run->worst_ns,
	       run->pause_ns);
	for (uint32_t class = 0; class < CLASSES; class++)
		if (classes[class] != 0)
			printf("%lu %u\n", delay_of(class), classes[class]);
	printf("end\n");
	fflush(stdout);
}

int main(int argc, char **argv)
{
	char line[80];

	ports_open(argc, argv, &pool);
	hz = rte_get_tsc_hz();
	write_template();
	printf("ready\n");
	fflush(stdout);
	while (fgets(line, sizeof(line), stdin) != NULL) {
		double rate;
		unsigned long ms;
		if (sscanf(line, "run %lf %lu", &rate, &ms) != 2 || rate < 0 || ms < 1)
			break;
		if (!ports_await_peers(PEERS_TIMEOUT_MS)) {
			fprintf(stderr, "latency: no forwarder came: timeout-ms=%d\n", PEERS_TIMEOUT_MS);
			break;
		}
		struct run run = measure(rate, ms);
		report(&run);
	}
	ports_close();
	return 0;
}
