/*
 * The twin of io.linerate.bench.latency.Forwarder: receives from port 0, adds one to a byte of each packet, and sends what
 * it received to port 1 at once; what the queue does not take is freed. On its main lcore, until standard input ends.
 */
#include <pthread.h>
#include <stdio.h>

#include "port.h"

static volatile bool stop;

static void *await_end(void *argument)
{
	(void)argument;
	while (getchar() != EOF)
		;
	stop = true;
	return NULL;
}

static void forward(void)
{
	uint64_t received = 0;
	uint64_t sent = 0;

	while (!stop) {
		struct rte_mbuf *mbufs[BURST];
		uint16_t n = rte_eth_rx_burst(0, 0, mbufs, BURST);
		if (n == 0)
			continue;
		for (uint16_t i = 0; i < n; i++)
			rte_pktmbuf_mtod(mbufs[i], uint8_t *)[TOUCHED_BYTE]++;
		uint16_t taken = rte_eth_tx_burst(1, 0, mbufs, n);
		if (taken < n)
			rte_pktmbuf_free_bulk(mbufs + taken, n - taken);
		received += n;
		sent += taken;
	}
	printf("%lu %lu\n", received, sent);
	fflush(stdout);
}

int main(int argc, char **argv)
{
	struct rte_mempool *pool;
	pthread_t reader;

	ports_open(argc, argv, &pool);
	if (pthread_create(&reader, NULL, await_end, NULL) != 0)
		return 1;
	printf("ready\n");
	fflush(stdout);
	forward();
	pthread_join(reader, NULL);
	ports_close();
	return 0;
}
