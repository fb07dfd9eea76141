/*
 * Sends frames at a rate and times how long they take to come back: "sent received p50 p99 worst", times in us.
 *
 *   linux-meter CPU SOURCE SINK PACKETS-PER-S MS
 */
#define _GNU_SOURCE
#include "twin.h"

#include <arpa/inet.h>
#include <errno.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

#define FRAME_BYTES 64
#define MAGIC 0x4C696E6572617465u
#define MAX_SAMPLES (1u << 22)

/* After the Ethernet header. */
struct stamp {
	uint64_t magic;
	uint64_t sent_ns;
} __attribute__((packed));

static uint32_t samples[MAX_SAMPLES];
static uint32_t sample_count;
static uint64_t received;

static uint64_t now_ns(void)
{
	struct timespec time;
	clock_gettime(CLOCK_MONOTONIC, &time);
	return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static int open_socket(const char *name, int protocol)
{
	int fd = socket(AF_PACKET, SOCK_RAW, 0);
	int one = 1, bytes = 32 << 20;
	struct sockaddr_ll address = {.sll_family = AF_PACKET, .sll_protocol = htons((uint16_t)protocol)};

	address.sll_ifindex = (int)if_nametoindex(name);
	setsockopt(fd, SOL_PACKET, PACKET_IGNORE_OUTGOING, &one, sizeof(one));
	setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &bytes, sizeof(bytes));
	if (fd < 0 || address.sll_ifindex == 0 || bind(fd, (struct sockaddr *)&address, sizeof(address)) < 0)
		twin_fail(name);
	return fd;
}

static void receive(int fd)
{
	uint8_t frame[2048];
	struct stamp stamp;
	while (recv(fd, frame, sizeof(frame), MSG_DONTWAIT) >= FRAME_BYTES) {
		memcpy(&stamp, frame + 14, sizeof(stamp));
		if (stamp.magic != MAGIC)
			continue;
		received++;
		if (sample_count < MAX_SAMPLES)
			samples[sample_count++] = (uint32_t)(now_ns() - stamp.sent_ns);
	}
}

static int compare(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	return x < y ? -1 : x > y;
}

static double percentile(double share)
{
	return sample_count == 0 ? 0 : samples[(uint32_t)((sample_count - 1) * share)] / 1000.0;
}

int main(int argc, char **argv)
{
	uint8_t frame[FRAME_BYTES] = {2, 0, 0, 0, 0, 2, 2, 0, 0, 0, 0, 1, 0x88, 0xB5};
	uint64_t sent = 0;
	cpu_set_t cpus;

	if (argc < 6) {
		fprintf(stderr, "usage: linux-meter CPU SOURCE SINK PACKETS-PER-S MS\n");
		return 1;
	}
	CPU_ZERO(&cpus);
	CPU_SET(atoi(argv[1]), &cpus);
	sched_setaffinity(0, sizeof(cpus), &cpus);
	int source = open_socket(argv[2], 0), sink = open_socket(argv[3], ETH_P_ALL);
	double gap_ns = 1e9 / atof(argv[4]);
	uint64_t start = now_ns(), length_ns = (uint64_t)atoll(argv[5]) * 1000000u;
	for (uint64_t now = start; now - start < length_ns; now = now_ns()) {
		for (int burst = 0; burst < 32 && (double)(now - start) >= (double)sent * gap_ns; burst++) {
			struct stamp stamp = {MAGIC, now_ns()};
			memcpy(frame + 14, &stamp, sizeof(stamp));
			if (send(source, frame, sizeof(frame), MSG_DONTWAIT) > 0)
				sent++;
		}
		receive(sink);
	}
	for (uint64_t end = now_ns() + 50000000u; now_ns() < end;)
		receive(sink);
	qsort(samples, sample_count, sizeof(samples[0]), compare);
	printf("%lu %lu %.1f %.1f %.1f\n", sent, received, percentile(0.5), percentile(0.99), percentile(1));
	return 0;
}
