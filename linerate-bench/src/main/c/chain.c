/*
 * The twin of a chain of elements that each add one to a byte of every packet, in one loop. Program arguments besides
 * those of twin.h: elements=1, 5, 10 or 20; way=best, or usual: a loop for each step, as libraries of packet functions
 * and rte_graph have it, and packets freed as the examples of DPDK do it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "twin.h"

#define MAX_ELEMENTS 20

static int elements;
static uint64_t too_short[MAX_ELEMENTS];

/* As ElementRow says. */
static inline uint32_t offset_of(int element)
{
	return 1 + 3 * element;
}

/* All steps for one packet. Those who write it by hand know which is the last byte, and look at the length once. */
static inline void touch(struct rte_mbuf *mbuf, const int count)
{
	uint8_t *data = rte_pktmbuf_mtod(mbuf, uint8_t *);
	uint32_t length = rte_pktmbuf_data_len(mbuf);

	if (likely(length > offset_of(count - 1))) {
#pragma GCC unroll 20
		for (int element = 0; element < count; element++)
			data[offset_of(element)]++;
		return;
	}
	for (int element = 0; element < count; element++) {
		if (length <= offset_of(element)) {
			too_short[element]++;
			return;
		}
		data[offset_of(element)]++;
	}
}

static inline int work_best(struct twin *twin, const int count)
{
	struct rte_mbuf *mbufs[MAX_BURST];

	while (!twin->stop) {
		uint16_t n = rte_eth_rx_burst(twin->in, 0, mbufs, twin->burst);
		struct twin_seen seen = {0};

		if (n == 0)
			continue;
		for (uint16_t i = 0; i < n; i++) {
			touch(mbufs[i], count);
			twin_see(&seen, mbufs[i], mbufs[0]->pool);
		}
		twin_free(mbufs, n, twin_are_plain(&seen));
		twin->counters.received += n;
		twin->counters.dropped += n;
	}
	return 0;
}

static int best(void *argument)
{
	switch (elements) {
	case 1:
		return work_best(argument, 1);
	case 5:
		return work_best(argument, 5);
	case 10:
		return work_best(argument, 10);
	case 20:
		return work_best(argument, 20);
	}
	return 1;
}

static int usual(void *argument)
{
	struct twin *twin = argument;
	struct rte_mbuf *mbufs[MAX_BURST];

	while (!twin->stop) {
		uint16_t n = rte_eth_rx_burst(twin->in, 0, mbufs, twin->burst);

		if (n == 0)
			continue;
		for (int element = 0; element < elements; element++)
			for (uint16_t i = 0; i < n; i++)
				if (likely(rte_pktmbuf_data_len(mbufs[i]) > offset_of(element)))
					rte_pktmbuf_mtod(mbufs[i], uint8_t *)[offset_of(element)]++;
				else
					too_short[element]++;
		rte_pktmbuf_free_bulk(mbufs, n);
		twin->counters.received += n;
		twin->counters.dropped += n;
	}
	return 0;
}

static void report(void)
{
	uint64_t sum = 0;

	for (int element = 0; element < MAX_ELEMENTS; element++)
		sum += too_short[element];
	printf(",\"tooShort\":%lu", sum);
}

int main(int argc, char **argv)
{
	static struct twin twin;

	twin_open(&twin, argc, argv);
	elements = atoi(twin_option("elements", "10"));
	if (elements != 1 && elements != 5 && elements != 10 && elements != 20)
		rte_exit(EXIT_FAILURE, "no such chain: elements=%d; give 1, 5, 10 or 20\n", elements);
	return twin_serve(&twin, strcmp(twin_option("way", "best"), "usual") == 0 ? usual : best, report);
}
