/*
 * The shim between Linerate and DPDK: functions that Java can call by address.
 *
 * It re-exports what DPDK defines static inline (what else needs no help is called by its own name), turns structs into flat arrays and flat arguments
 * into structs, and reports the layout and version that it was compiled with. It decides nothing
 * and remembers nothing. Failures are negative errno values; lr_error_text() names them.
 */
#define _GNU_SOURCE /* fopencookie */
#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include <rte_dev.h>
#include <rte_eal.h>
#include <rte_errno.h>
#include <rte_ethdev.h>
#include <rte_flow.h>
#include <rte_lcore.h>
#include <rte_log.h>
#include <rte_mbuf.h>
#include <rte_mbuf_dyn.h>
#include <rte_mempool.h>
#include <rte_pdump.h>
#include <rte_version.h>

#define EXPORT __attribute__((visibility("default")))

/* For DPDK functions that return -1 and set rte_errno, which some forget to do. */
static int failure(void)
{
	return rte_errno > 0 ? -rte_errno : -EIO;
}

/* Some return -1 for "failed", which as an errno value would read EPERM. */
static int code(int result)
{
	return result == -1 ? failure() : result;
}

/* ---- what this was compiled with ---- */

/* The order is that of the Java class ShimLayout. Returns how many values there are. */
EXPORT int lr_layout(int64_t *values, int capacity)
{
	const int64_t layout[] = {
		RTE_VER_YEAR,
		RTE_VER_MONTH,
		sizeof(struct rte_mbuf),
		RTE_PKTMBUF_HEADROOM,
		RTE_MAX_LCORE,
		offsetof(struct rte_mbuf, buf_addr), offsetof(struct rte_mbuf, data_off),
		offsetof(struct rte_mbuf, refcnt), offsetof(struct rte_mbuf, nb_segs),
		offsetof(struct rte_mbuf, port), offsetof(struct rte_mbuf, ol_flags),
		offsetof(struct rte_mbuf, pkt_len), offsetof(struct rte_mbuf, data_len),
		offsetof(struct rte_mbuf, buf_len), offsetof(struct rte_mbuf, pool),
		offsetof(struct rte_mbuf, next),
		offsetof(struct rte_mbuf, dynfield1),
		offsetof(struct rte_mbuf, dynfield1) + sizeof(((struct rte_mbuf *)0)->dynfield1),
		RTE_MBUF_F_LAST_FREE,
		RTE_ETH_XSTATS_NAME_SIZE,
		offsetof(struct rte_mbuf, vlan_tci), offsetof(struct rte_mbuf, tx_offload),
		RTE_ETH_RSS_IP | RTE_ETH_RSS_TCP | RTE_ETH_RSS_UDP,
		RTE_MBUF_F_RX_VLAN | RTE_MBUF_F_RX_VLAN_STRIPPED,
		RTE_MBUF_F_RX_L4_CKSUM_BAD, RTE_MBUF_F_RX_L4_CKSUM_GOOD,
		RTE_MBUF_F_RX_IP_CKSUM_BAD, RTE_MBUF_F_RX_IP_CKSUM_GOOD,
		RTE_MBUF_F_TX_VLAN, RTE_MBUF_F_TX_IPV4, RTE_MBUF_F_TX_IPV6, RTE_MBUF_F_TX_IP_CKSUM,
		RTE_MBUF_F_TX_TCP_CKSUM, RTE_MBUF_F_TX_UDP_CKSUM, RTE_MBUF_F_TX_TCP_SEG,
		rte_mbuf_tx_offload(1, 1, 1, 1, 0, 0, 0),
	};
	int count = (int)(sizeof(layout) / sizeof(layout[0]));

	for (int i = 0; i < count && i < capacity; i++)
		values[i] = layout[i];
	return count;
}

/* Text of a negative errno value, valid until the calling thread asks again. */
EXPORT const char *lr_error_text(int error)
{
	return rte_strerror(-error);
}

/* ---- the log ---- */

/*
 * A message on its way: a byte with its level, then its text. Nobody waits for the reader: what finds no
 * room goes to standard error. What comes before an abort goes there as well, while there is time.
 */
static ssize_t log_write(void *fd, const char *text, size_t length)
{
	int current = rte_log_cur_msg_loglevel();
	/* 0: written to the stream itself, by a thread that never logged. */
	unsigned char level = current > 0 ? (unsigned char)current : RTE_LOG_INFO;
	struct iovec parts[] = { { &level, 1 }, { (void *)(uintptr_t)text, length } };
	struct msghdr message = { .msg_iov = parts, .msg_iovlen = 2 };
	ssize_t sent = sendmsg((int)(intptr_t)fd, &message, MSG_DONTWAIT | MSG_NOSIGNAL);
	ssize_t written = 0;

	if (sent < 0 || level <= RTE_LOG_CRIT)
		written = write(STDERR_FILENO, text, length);
	return sent < 0 && written < 0 ? 0 : (ssize_t)length;
}

/*
 * Has DPDK log into fds[1], for fds[0] to be read by lr_log_read; both are for as long as the process runs.
 * To standard error if that cannot be: DPDK 22.11 logs to standard output by default, which belongs to the
 * program's results.
 */
EXPORT int lr_log_open(int *fds)
{
	const cookie_io_functions_t calls = { .write = log_write };
	FILE *log;

	rte_openlog_stream(stderr);
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fds) < 0)
		return -errno;
	log = fopencookie((void *)(intptr_t)fds[1], "w", calls);
	return log == NULL ? -ENOMEM : rte_openlog_stream(log);
}

/* Has DPDK log to standard error again: nobody reads the socket any more. */
EXPORT int lr_log_to_stderr(void)
{
	return rte_openlog_stream(stderr);
}

/* Waits for a message: a byte with its level, then its text. Returns its length. */
EXPORT int lr_log_read(int fd, char *message, int capacity)
{
	ssize_t length = recv(fd, message, capacity, 0);

	return length < 0 ? -errno : (int)length;
}

/* Logs a message of a level that DPDK does not have and without text: what was logged before is read before. */
EXPORT int lr_log_mark(int fd)
{
	return send(fd, "", 1, MSG_DONTWAIT | MSG_NOSIGNAL) < 0 ? -errno : 0;
}

/* ---- the environment ---- */

EXPORT int lr_eal_init(int argc, char **argv)
{
	rte_errno = 0;
	return rte_eal_init(argc, argv) < 0 ? failure() : 0;
}

/*
 * Has drivers keep the time of reception at `offset` of a packet, which bit `bit` of its flags says, and leave alone
 * the 16 bytes before it and the three bits below.
 */
EXPORT int lr_reserve(int offset, int bit)
{
	struct rte_mbuf_dynfield time = {
		RTE_MBUF_DYNFIELD_TIMESTAMP_NAME, sizeof(rte_mbuf_timestamp_t), __alignof__(rte_mbuf_timestamp_t), 0,
	};
	struct rte_mbuf_dynfield own = { "linerate", 16, 1, 0 };
	struct rte_mbuf_dynflag flags[] = { { RTE_MBUF_DYNFLAG_RX_TIMESTAMP_NAME, 0 }, { "linerate-1", 0 }, { "linerate-2", 0 },
					  { "linerate-3", 0 } };

	rte_errno = 0;
	if (rte_mbuf_dynfield_register_offset(&time, offset) < 0 || rte_mbuf_dynfield_register_offset(&own, offset - 16) < 0)
		return failure();
	for (int i = 0; i < 4; i++)
		if (rte_mbuf_dynflag_register_bitnum(&flags[i], bit - i) < 0)
			return failure();
	return 0;
}

/* From now on dpdk-pdump may ask for copies of packets. */
EXPORT int lr_pdump_init(void)
{
	rte_errno = 0;
	return code(rte_pdump_init());
}

/* Makes the calling thread known, so that it has mempool caches. 0 also when it was before. */
EXPORT int lr_thread_attach(void)
{
	if (rte_lcore_id() != LCORE_ID_ANY)
		return 0;
	return rte_thread_register() < 0 ? failure() : 0;
}

/* Undoes lr_thread_attach; the thread that started the environment stays known. */
EXPORT void lr_thread_detach(void)
{
	unsigned int lcore = rte_lcore_id();

	if (lcore != LCORE_ID_ANY && rte_eal_lcore_role(lcore) == ROLE_NON_EAL)
		rte_thread_unregister();
}

/* ---- devices ---- */

EXPORT int lr_probe(const char *devargs)
{
	rte_errno = 0;
	return code(rte_dev_probe(devargs));
}

/* Number of the port that a device made, or a negative errno value. */
EXPORT int lr_port_by_name(const char *name)
{
	uint16_t port;
	int result = rte_eth_dev_get_port_by_name(name, &port);

	return result < 0 ? result : port;
}

/*
 * values: most rx queues, most tx queues, rx offloads, tx offloads, RSS hash types, least MTU,
 * most MTU, CPU socket, longest frame received, size of the indirection table, bytes of the hash's key.
 */
EXPORT int lr_device_info(int port, int64_t *values)
{
	struct rte_eth_dev_info info;
	int result = rte_eth_dev_info_get(port, &info);

	if (result < 0)
		return result;
	values[0] = info.max_rx_queues;
	values[1] = info.max_tx_queues;
	values[2] = info.rx_offload_capa;
	values[3] = info.tx_offload_capa;
	values[4] = info.flow_type_rss_offloads;
	values[5] = info.min_mtu;
	values[6] = info.max_mtu;
	values[7] = rte_eth_dev_socket_id(port);
	values[8] = info.max_rx_pktlen;
	values[9] = info.reta_size;
	values[10] = info.hash_key_size;
	return 0;
}

/* What DPDK calls one bit of rx or tx offloads, such as "TCP_CKSUM"; "UNKNOWN" if none is. */
EXPORT const char *lr_offload_name(uint64_t offload, int is_tx)
{
	return is_tx ? rte_eth_dev_tx_offload_name(offload) : rte_eth_dev_rx_offload_name(offload);
}

/*
 * values: rx queues, tx queues, MTU, rx offloads, tx offloads, RSS hash types or 0 for no RSS, 1 for rx interrupts.
 */
EXPORT int lr_configure(int port, const int64_t *values)
{
	struct rte_eth_conf conf;

	memset(&conf, 0, sizeof(conf));
	conf.rxmode.mtu = values[2];
	conf.rxmode.offloads = values[3];
	conf.txmode.offloads = values[4];
	conf.intr_conf.rxq = values[6] != 0;
	if (values[5] != 0) {
		conf.rxmode.mq_mode = RTE_ETH_MQ_RX_RSS;
		conf.rx_adv_conf.rss_conf.rss_hf = values[5];
	}
	return code(rte_eth_dev_configure(port, values[0], values[1], &conf));
}

/* descriptors: wanted rx and tx, replaced by what the device can have. */
EXPORT int lr_adjust_descriptors(int port, int32_t *descriptors)
{
	uint16_t rx = descriptors[0];
	uint16_t tx = descriptors[1];
	int result = rte_eth_dev_adjust_nb_rx_tx_desc(port, &rx, &tx);

	descriptors[0] = rx;
	descriptors[1] = tx;
	return code(result);
}

EXPORT int lr_rx_queue_setup(int port, int queue, int descriptors, int socket, int64_t offloads,
			     struct rte_mempool *pool)
{
	struct rte_eth_dev_info info;
	struct rte_eth_rxconf conf;
	int result = rte_eth_dev_info_get(port, &info);

	if (result < 0)
		return result;
	conf = info.default_rxconf;
	conf.offloads = offloads;
	return code(rte_eth_rx_queue_setup(port, queue, descriptors, socket, &conf, pool));
}

EXPORT int lr_tx_queue_setup(int port, int queue, int descriptors, int socket, int64_t offloads)
{
	struct rte_eth_dev_info info;
	struct rte_eth_txconf conf;
	int result = rte_eth_dev_info_get(port, &info);

	if (result < 0)
		return result;
	conf = info.default_txconf;
	conf.offloads = offloads;
	return code(rte_eth_tx_queue_setup(port, queue, descriptors, socket, &conf));
}

/* A descriptor that poll(2) finds readable when a packet comes to a queue that is armed. */
EXPORT int lr_rx_descriptor(int port, int queue)
{
	rte_errno = 0;
	return code(rte_eth_dev_rx_intr_ctl_q_get_fd(port, queue));
}

/* Arms a queue's interrupt, and returns how many packets are there that it will not tell of; or disarms it. */
EXPORT int lr_rx_arm(int port, int queue, int on)
{
	int result = on ? rte_eth_dev_rx_intr_enable(port, queue) : rte_eth_dev_rx_intr_disable(port, queue);

	if (result < 0 || !on)
		return code(result);
	result = rte_eth_rx_queue_count(port, queue);
	return result == -ENOTSUP ? 0 : code(result);
}

EXPORT int lr_set_mtu(int port, int mtu)
{
	return code(rte_eth_dev_set_mtu(port, mtu));
}

EXPORT int lr_promiscuous(int port)
{
	return code(rte_eth_promiscuous_enable(port));
}

EXPORT int lr_start(int port)
{
	return code(rte_eth_dev_start(port));
}

EXPORT int lr_stop(int port)
{
	return code(rte_eth_dev_stop(port));
}

/* Closes the port and takes its device off the bus, unless another port of it is open. */
EXPORT int lr_close(int port)
{
	struct rte_eth_dev_info info;
	int result = rte_eth_dev_info_get(port, &info);

	if (result < 0)
		return result;
	result = code(rte_eth_dev_close(port));
	if (result < 0 || info.device == NULL || rte_eth_find_next_of(0, info.device) < RTE_MAX_ETHPORTS)
		return result;
	return code(rte_dev_remove(info.device));
}

/* 1 when the link is up, 0 when it is down. */
EXPORT int lr_link(int port)
{
	struct rte_eth_link link;
	int result = rte_eth_link_get_nowait(port, &link);

	return result < 0 ? result : link.link_status == RTE_ETH_LINK_UP;
}

/* values: rx packets, rx bytes, tx packets, tx bytes, missed, no buffer, rx errors, tx errors. */
EXPORT int lr_stats(int port, int64_t *values)
{
	struct rte_eth_stats stats;
	int result = rte_eth_stats_get(port, &stats);

	if (result < 0)
		return result;
	values[0] = stats.ipackets;
	values[1] = stats.ibytes;
	values[2] = stats.opackets;
	values[3] = stats.obytes;
	values[4] = stats.imissed;
	values[5] = stats.rx_nombuf;
	values[6] = stats.ierrors;
	values[7] = stats.oerrors;
	return 0;
}

/*
 * names: RTE_ETH_XSTATS_NAME_SIZE bytes for each, ended by a zero byte. Returns how many there are;
 * when that is more than the capacity, nothing was written.
 */
EXPORT int lr_xstats(int port, char *names, int64_t *values, int capacity)
{
	int count = rte_eth_xstats_get_names(port, NULL, 0);
	struct rte_eth_xstat *stats;

	if (count < 0 || count > capacity)
		return count;
	count = rte_eth_xstats_get_names(port, (struct rte_eth_xstat_name *)names, capacity);
	if (count < 0 || count > capacity)
		return count;
	stats = calloc(capacity > 0 ? capacity : 1, sizeof(*stats));
	if (stats == NULL)
		return -ENOMEM;
	memset(values, 0, sizeof(*values) * capacity);
	int got = rte_eth_xstats_get(port, stats, capacity);

	for (int i = 0; i < got && i < capacity; i++)
		if (stats[i].id < (uint64_t)capacity)
			values[stats[i].id] = stats[i].value;
	free(stats);
	return got < 0 ? got : count;
}

/* ---- receive-side scaling ---- */

/* The hash types of a HashField of Java: 0 to 2 IPv4, TCP and UDP over it, 3 to 5 the same of IPv6. */
EXPORT int64_t lr_rss_types(int field)
{
	const int64_t types[] = {
		RTE_ETH_RSS_IPV4 | RTE_ETH_RSS_FRAG_IPV4 | RTE_ETH_RSS_NONFRAG_IPV4_OTHER,
		RTE_ETH_RSS_NONFRAG_IPV4_TCP,
		RTE_ETH_RSS_NONFRAG_IPV4_UDP,
		RTE_ETH_RSS_IPV6 | RTE_ETH_RSS_FRAG_IPV6 | RTE_ETH_RSS_NONFRAG_IPV6_OTHER | RTE_ETH_RSS_IPV6_EX,
		RTE_ETH_RSS_NONFRAG_IPV6_TCP | RTE_ETH_RSS_IPV6_TCP_EX,
		RTE_ETH_RSS_NONFRAG_IPV6_UDP | RTE_ETH_RSS_IPV6_UDP_EX,
	};

	return field >= 0 && field < (int)(sizeof(types) / sizeof(types[0])) ? types[field] : 0;
}

EXPORT int lr_rss_hash_get(int port, uint8_t *key, int key_bytes, int64_t *types)
{
	struct rte_eth_rss_conf conf = { .rss_key = key, .rss_key_len = key_bytes };
	int result = rte_eth_dev_rss_hash_conf_get(port, &conf);

	*types = conf.rss_hf;
	return code(result);
}

EXPORT int lr_rss_hash_set(int port, uint8_t *key, int key_bytes, int64_t types)
{
	struct rte_eth_rss_conf conf = {
		.rss_key = key_bytes > 0 ? key : NULL, .rss_key_len = key_bytes, .rss_hf = types,
	};

	return code(rte_eth_dev_rss_hash_update(port, &conf));
}

/* Entries of an indirection table: twice as many as the largest of DPDK's drivers has (ice). */
#define TABLE_MOST 4096

/* Reads the table, or writes it. */
EXPORT int lr_rss_table(int port, int32_t *table, int size, int write)
{
	struct rte_eth_rss_reta_entry64 conf[TABLE_MOST / RTE_ETH_RETA_GROUP_SIZE];
	int result;

	if (size < 0 || size > TABLE_MOST)
		return -E2BIG;
	memset(conf, 0, sizeof(conf));
	for (int i = 0; i < size; i++) {
		struct rte_eth_rss_reta_entry64 *group = &conf[i / RTE_ETH_RETA_GROUP_SIZE];

		group->mask |= UINT64_C(1) << (i % RTE_ETH_RETA_GROUP_SIZE);
		group->reta[i % RTE_ETH_RETA_GROUP_SIZE] = write ? table[i] : 0;
	}
	if (write)
		return code(rte_eth_dev_rss_reta_update(port, conf, size));
	result = code(rte_eth_dev_rss_reta_query(port, conf, size));
	for (int i = 0; result >= 0 && i < size; i++)
		table[i] = conf[i / RTE_ETH_RETA_GROUP_SIZE].reta[i % RTE_ETH_RETA_GROUP_SIZE];
	return result;
}

/* ---- flow rules ---- */

/*
 * Creates a rule if the device can keep it: packets that match go to the queue. An item of its
 * pattern is 136 bytes, FlowPattern of Java: kind, whether it says anything, at 8 the header, at 72
 * which bits count. Returns the rule, or a negative errno value; the driver's words or NULL.
 */
EXPORT int64_t lr_flow_create(int port, int priority, int queue, const uint8_t *items, int count, const char **words)
{
	static const enum rte_flow_item_type kinds[] = {
		RTE_FLOW_ITEM_TYPE_ETH, RTE_FLOW_ITEM_TYPE_VLAN, RTE_FLOW_ITEM_TYPE_IPV4, RTE_FLOW_ITEM_TYPE_IPV6,
		RTE_FLOW_ITEM_TYPE_TCP, RTE_FLOW_ITEM_TYPE_UDP, RTE_FLOW_ITEM_TYPE_SCTP };
	const struct rte_flow_attr attr = { .priority = priority, .ingress = 1 };
	const struct rte_flow_action_queue to = { .index = queue };
	const struct rte_flow_action actions[] = { { RTE_FLOW_ACTION_TYPE_QUEUE, &to }, { RTE_FLOW_ACTION_TYPE_END, NULL } };
	struct rte_flow_item pattern[8] = { { RTE_FLOW_ITEM_TYPE_END, NULL, NULL, NULL } };
	struct rte_flow_error error = { .message = NULL };
	struct rte_flow *flow = NULL;

	for (int i = 0; i < count && i < 7; i++, items += 136)
		pattern[i] = (struct rte_flow_item){ kinds[*items], items[1] ? items + 8 : NULL, NULL,
						     items[1] ? items + 72 : NULL };
	int result = rte_flow_validate(port, &attr, pattern, actions, &error);
	if (result == 0 && (flow = rte_flow_create(port, &attr, pattern, actions, &error)) == NULL)
		result = failure();
	*words = error.message;
	return result < 0 ? code(result) : (intptr_t)flow;
}

EXPORT int lr_flow_destroy(int port, struct rte_flow *flow)
{
	struct rte_flow_error error;
	return code(rte_flow_destroy(port, flow, &error));
}

/* ---- buffers ---- */

/* Address of the pool, or a negative errno value. room_bytes includes the headroom. */
EXPORT int64_t lr_pool_create(const char *name, int capacity, int cache, int room_bytes, int socket)
{
	rte_errno = 0;
	struct rte_mempool *pool =
		rte_pktmbuf_pool_create(name, capacity, cache, 0, room_bytes, socket);

	return pool == NULL ? failure() : (int64_t)(uintptr_t)pool;
}

EXPORT int lr_alloc_bulk(struct rte_mempool *pool, struct rte_mbuf **packets, int count)
{
	return rte_pktmbuf_alloc_bulk(pool, packets, count);
}

/* References and number of segments in the eight bytes of rearm_data, and those of one segment that is not shared. */
#define SHAPE 0x0000FFFFFFFF0000
#define PLAIN_SHAPE 0x0000000100010000

/*
 * Most bursts are of one pool, of one segment each, not shared: one look at two words of each header says so, and their
 * buffers go home as they lie there. rte_pktmbuf_free_bulk() looks at each with several branches and collects them again.
 * A packet of one segment has no next one: DPDK's drivers free their own by that (rte_mbuf_raw_free), and whoever changes the
 * number of segments here, core's Mbuf, changes both.
 */
EXPORT void lr_free_bulk(struct rte_mbuf **packets, int count)
{
	uint64_t shape = 0, flags = 0, some_pool = 0, each_pool = UINT64_MAX;

#pragma GCC unroll 8
	for (int i = 0; i < count; i++) {
		const struct rte_mbuf *packet = packets[i];
		uint64_t rearm;

		memcpy(&rearm, packet->rearm_data, sizeof(rearm));
		shape |= rearm;
		flags |= packet->ol_flags;
		some_pool |= (uintptr_t)packet->pool;
		each_pool &= (uintptr_t)packet->pool;
	}
	if (count > 0 && (shape & SHAPE) == PLAIN_SHAPE && (flags & (RTE_MBUF_F_INDIRECT | RTE_MBUF_F_EXTERNAL)) == 0 &&
	    some_pool == each_pool)
		rte_mempool_put_bulk(packets[0]->pool, (void **)packets, count);
	else
		rte_pktmbuf_free_bulk(packets, count);
}

/* ---- packets ---- */

/*
 * All of a burst with one call: transmits what is due, frees the packets of `spent`, which may lie where it receives to,
 * and receives. Each number of packets may be 0.
 *
 * queues: of 16 bits each from the lowest: port and queue that receive, port and queue that transmit.
 * counts: likewise packets to receive at most, spent, due.
 * Returns from the lowest: 16 bits of packets received, 16 bits of packets transmitted, and the bytes of what was received,
 * which is in the cache now.
 */
EXPORT int64_t lr_exchange(uint64_t queues, struct rte_mbuf **packets, uint64_t counts, struct rte_mbuf **spent,
			   struct rte_mbuf **due)
{
	uint16_t spent_count = counts >> 16, due_count = counts >> 32;
	uint16_t sent = due_count > 0 ? rte_eth_tx_burst(queues >> 32, queues >> 48, due, due_count) : 0;

	if (spent_count > 0)
		lr_free_bulk(spent, spent_count);
	uint16_t received = rte_eth_rx_burst(queues, queues >> 16, packets, counts);
	uint64_t bytes = 0;

#pragma GCC unroll 8
	for (uint16_t i = 0; i < received; i++)
		bytes += rte_pktmbuf_pkt_len(packets[i]);
	return bytes << 32 | (uint64_t)sent << 16 | received;
}

EXPORT int lr_tx_burst(int port, int queue, struct rte_mbuf **packets, int count)
{
	return rte_eth_tx_burst(port, queue, packets, count);
}

/* As lr_tx_burst, of packets with work for the device. Returns from the lowest 16 bits: sent, and sound ones. */
EXPORT int lr_tx_prepared(int port, int queue, struct rte_mbuf **packets, int count)
{
	uint16_t sound = rte_eth_tx_prepare(port, queue, packets, count);

	return (int)((uint32_t)sound << 16 | rte_eth_tx_burst(port, queue, packets, sound));
}
