#include "port.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include <rte_cycles.h>
#include <rte_eal.h>
#include <rte_errno.h>

#define PORTS 2
#define BUFFERS 16384
#define CACHE 256
#define DESCRIPTORS 1024

static void fail(const char *what, int code)
{
	fprintf(stderr, "latency: %s: code=%d, text=%s\n", what, code, rte_strerror(-code));
	exit(1);
}

static void open_port(uint16_t port, struct rte_mempool *pool)
{
	struct rte_eth_conf conf = {0};
	int code = rte_eth_dev_configure(port, 1, 1, &conf);

	if (code == 0)
		code = rte_eth_rx_queue_setup(port, 0, DESCRIPTORS, SOCKET_ID_ANY, NULL, pool);
	if (code == 0)
		code = rte_eth_tx_queue_setup(port, 0, DESCRIPTORS, SOCKET_ID_ANY, NULL);
	if (code == 0)
		code = rte_eth_dev_start(port);
	if (code != 0)
		fail("a port cannot be set up", code);
}

int ports_open(int argc, char **argv, struct rte_mempool **pool)
{
	int used = rte_eal_init(argc, argv);

	if (used < 0)
		fail("rte_eal_init failed", -rte_errno);
	if (rte_eth_dev_count_avail() != PORTS)
		fail("give two --vdev", -EINVAL);
	*pool = rte_pktmbuf_pool_create("latency", BUFFERS - 1, CACHE, 0, RTE_MBUF_DEFAULT_BUF_SIZE, SOCKET_ID_ANY);
	if (*pool == NULL)
		fail("rte_pktmbuf_pool_create failed", -rte_errno);
	for (uint16_t port = 0; port < PORTS; port++)
		open_port(port, *pool);
	return used;
}

static bool is_up(uint16_t port)
{
	struct rte_eth_link link = {0};

	return rte_eth_link_get_nowait(port, &link) == 0 && link.link_status == RTE_ETH_LINK_UP;
}

bool ports_await_peers(unsigned int timeout_ms)
{
	for (unsigned int waited = 0; waited < timeout_ms; waited++) {
		if (is_up(0) && is_up(1))
			return true;
		rte_delay_us_sleep(1000);
	}
	return false;
}

void ports_close(void)
{
	for (uint16_t port = 0; port < PORTS; port++) {
		rte_eth_dev_stop(port);
		rte_eth_dev_close(port);
	}
	rte_eal_cleanup();
}
