#include "twin.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <rte_eal.h>
#include <rte_ether.h>
#include <rte_ip.h>
#include <rte_launch.h>
#include <rte_lcore.h>
#include <rte_udp.h>

#define CACHE 256
#define DESCRIPTORS 1024

static int option_count;
static char **options;

static void fail(const char *what, int code)
{
	fprintf(stderr, "twin: %s: code=%d, text=%s\n", what, code, rte_strerror(-code));
	exit(1);
}

const char *twin_option(const char *key, const char *by_default)
{
	size_t length = strlen(key);

	for (int i = option_count - 1; i >= 0; i--)
		if (strncmp(options[i], key, length) == 0 && options[i][length] == '=')
			return options[i] + length + 1;
	return by_default;
}

static int number(const char *key, const char *by_default, int min, int max)
{
	int value = atoi(twin_option(key, by_default));

	if (value < min || value > max) {
		fprintf(stderr, "twin: option is out of range: %s=%d; %d to %d is allowed\n", key, value, min, max);
		exit(2);
	}
	return value;
}

/* An Ethernet frame with IPv4 and UDP, from 10.0.0.0/16. */
static void write_frame(struct rte_mbuf *mbuf, uint32_t index, uint16_t frame_bytes)
{
	char *data = rte_pktmbuf_mtod(mbuf, char *);
	struct rte_ether_hdr *ether = (struct rte_ether_hdr *)data;
	struct rte_ipv4_hdr *ip = (struct rte_ipv4_hdr *)(ether + 1);
	struct rte_udp_hdr *udp = (struct rte_udp_hdr *)(ip + 1);

	memset(data, 0, frame_bytes);
	ether->ether_type = rte_cpu_to_be_16(RTE_ETHER_TYPE_IPV4);
	ip->version_ihl = 0x45;
	ip->total_length = rte_cpu_to_be_16(frame_bytes - sizeof(*ether));
	ip->time_to_live = 64;
	ip->next_proto_id = IPPROTO_UDP;
	ip->src_addr = rte_cpu_to_be_32(0x0A000000u + (index & 0xFFFF));
	ip->dst_addr = rte_cpu_to_be_32(0x0A010001u);
	ip->hdr_checksum = rte_ipv4_cksum(ip);
	udp->dgram_len = rte_cpu_to_be_16(frame_bytes - sizeof(*ether) - sizeof(*ip));
}

static void fill_pool(struct rte_mempool *pool, int buffers, uint16_t frame_bytes)
{
	struct rte_mbuf **all = calloc(buffers, sizeof(*all));
	int count = 0;

	if (all == NULL)
		fail("no memory", -ENOMEM);
	while (count < buffers && (all[count] = rte_pktmbuf_alloc(pool)) != NULL) {
		write_frame(all[count], count, frame_bytes);
		count++;
	}
	rte_pktmbuf_free_bulk(all, count);
	free(all);
}

static void open_port(struct twin *twin, uint16_t port)
{
	struct rte_eth_conf conf = {0};
	struct rte_eth_dev_info info;
	int code = rte_eth_dev_info_get(port, &info);

	conf.txmode.offloads = info.tx_offload_capa & RTE_ETH_TX_OFFLOAD_MULTI_SEGS;
	if (code == 0)
		code = rte_eth_dev_configure(port, 1, 1, &conf);
	if (code == 0)
		code = rte_eth_rx_queue_setup(port, 0, DESCRIPTORS, SOCKET_ID_ANY, NULL, twin->pool);
	if (code == 0)
		code = rte_eth_tx_queue_setup(port, 0, DESCRIPTORS, SOCKET_ID_ANY, NULL);
	if (code == 0)
		code = rte_eth_dev_start(port);
	if (code != 0)
		fail("the port cannot be set up", code);
}

void twin_open(struct twin *twin, int argc, char **argv)
{
	int used = rte_eal_init(argc, argv);

	if (used < 0)
		fail("rte_eal_init failed", -rte_errno);
	option_count = argc - used;
	options = argv + used;
	if (rte_eth_dev_count_avail() == 0)
		fail("no port: give --vdev", -ENODEV);
	int buffers = number("buffers", "16384", 64, 1 << 20);
	int room = number("room", "2048", 2048, 16384);
	int frame_bytes = number("frame", "0", 0, room);
	twin->burst = number("burst", "32", 1, MAX_BURST);
	twin->in = 0;
	twin->out = rte_eth_dev_count_avail() - 1;
	twin->pool = rte_pktmbuf_pool_create("twin", buffers, CACHE, 0, RTE_PKTMBUF_HEADROOM + room, SOCKET_ID_ANY);
	if (twin->pool == NULL)
		fail("rte_pktmbuf_pool_create failed", -rte_errno);
	if (frame_bytes > 0)
		fill_pool(twin->pool, buffers, frame_bytes);
	for (uint16_t port = twin->in; port <= twin->out; port++)
		open_port(twin, port);
}

static uint64_t now_ns(void)
{
	struct timespec time;
	clock_gettime(CLOCK_MONOTONIC, &time);
	return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static struct twin_counters read_counters(const struct twin *twin)
{
	struct twin_counters copy = {
		.received = __atomic_load_n(&twin->counters.received, __ATOMIC_RELAXED),
		.sent = __atomic_load_n(&twin->counters.sent, __ATOMIC_RELAXED),
		.dropped = __atomic_load_n(&twin->counters.dropped, __ATOMIC_RELAXED),
	};
	return copy;
}

static void answer(struct twin *twin, struct twin_counters before, uint64_t start)
{
	struct twin_counters after = read_counters(twin);

	printf("%lu %lu %lu %lu\n", now_ns() - start, after.received - before.received, after.sent - before.sent,
	       after.dropped - before.dropped);
	fflush(stdout);
}

static void measure(struct twin *twin, int ms)
{
	struct timespec pause = {.tv_sec = ms / 1000, .tv_nsec = (ms % 1000) * 1000000L};
	uint64_t start = now_ns();
	struct twin_counters before = read_counters(twin);

	nanosleep(&pause, NULL);
	answer(twin, before, start);
}

static void serve(struct twin *twin)
{
	struct twin_counters none = {0};
	uint64_t start = now_ns();
	char line[64];
	int ms;

	printf("ready\n");
	fflush(stdout);
	while (fgets(line, sizeof(line), stdin) != NULL)
		if (sscanf(line, "measure %d", &ms) == 1 && ms > 0)
			measure(twin, ms);
		else
			answer(twin, none, start);
}

int twin_serve(struct twin *twin, int (*work)(void *), void (*report)(void))
{
	unsigned int worker = rte_get_next_lcore(-1, 1, 0);

	if (worker >= RTE_MAX_LCORE)
		fail("no worker lcore: give --lcores two", -EINVAL);
	rte_eal_remote_launch(work, twin, worker);
	serve(twin);
	twin->stop = true;
	rte_eal_wait_lcore(worker);
	printf("{\"received\":%lu,\"sent\":%lu,\"dropped\":%lu", twin->counters.received, twin->counters.sent,
	       twin->counters.dropped);
	report();
	printf("}\n");
	for (uint16_t port = twin->in; port <= twin->out; port++) {
		rte_eth_dev_stop(port);
		rte_eth_dev_close(port);
	}
	return rte_eal_cleanup() == 0 ? 0 : 1;
}
