/*
 * The twin of `linerate firewall`: source address and protocol of each packet, first rule that matches wins. Program
 * arguments besides those of twin.h: rules=FILE, match=plain|linear|trie|acl|rte_hash, see
 * rules.h; free=best, or usual: as the examples of DPDK do it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rte_ether.h>
#include <rte_ip.h>

#include "rules.h"
#include "twin.h"

static struct rules rules;
static matcher match;
static bool frees_as_usual;

static inline uint64_t key_of(const struct rte_mbuf *mbuf)
{
	const struct rte_ether_hdr *ether = rte_pktmbuf_mtod(mbuf, const struct rte_ether_hdr *);
	const struct rte_ipv4_hdr *ip = (const struct rte_ipv4_hdr *)(ether + 1);
	rte_be64_t key;

	if (rte_pktmbuf_data_len(mbuf) < sizeof(*ether) + sizeof(*ip) ||
	    ether->ether_type != rte_cpu_to_be_16(RTE_ETHER_TYPE_IPV4) || ip->version_ihl != 0x45 ||
	    rte_be_to_cpu_16(ip->total_length) < sizeof(*ip))
		return NO_KEY;
	memcpy(&key, &ip->time_to_live, sizeof(key));
	return rte_be_to_cpu_64(key) & KEY_MASK;
}

static inline bool is_ipv6(const struct rte_mbuf *mbuf)
{
	return twin_is_ipv6(rte_pktmbuf_mtod(mbuf, const uint8_t *), rte_pktmbuf_data_len(mbuf));
}

/* Which rule decides on each packet; says whether all pass. Runs of one verdict are counted at once. */
static bool decide(struct rte_mbuf **mbufs, uint16_t n, uint32_t *verdicts)
{
	uint64_t keys[MAX_BURST] __rte_cache_aligned;
	bool all = true;
	bool sound = true;

	for (uint16_t i = 0; i < n; i++) {
		keys[i] = key_of(mbufs[i]);
		sound &= keys[i] != NO_KEY;
	}
	match(keys, n, verdicts);
	for (uint16_t i = 0; !sound && i < n; i++)
		if (keys[i] == NO_KEY) /* No rule of a benchmark is about IPv6. */
			verdicts[i] = rules.count + !is_ipv6(mbufs[i]);
	for (uint16_t start = 0, i = 1; i <= n; i++)
		if (i == n || verdicts[i] != verdicts[start]) {
			rules.hits[verdicts[start]] += i - start;
			all &= rules.passes[verdicts[start]];
			start = i;
		}
	return all;
}

static void free_burst(struct rte_mbuf **mbufs, uint16_t n)
{
	struct twin_seen seen = {0};

	for (uint16_t i = 0; i < n && !frees_as_usual; i++)
		twin_see(&seen, mbufs[i], mbufs[0]->pool);
	twin_free(mbufs, n, !frees_as_usual && twin_are_plain(&seen));
}

/* Moves the packets that pass to the front, the others to drops; returns how many pass. */
static uint16_t split(struct rte_mbuf **mbufs, uint16_t n, const uint32_t *verdicts, struct rte_mbuf **drops)
{
	uint16_t passed = 0;
	uint16_t dropped = 0;

	for (uint16_t i = 0; i < n; i++)
		if (rules.passes[verdicts[i]])
			mbufs[passed++] = mbufs[i];
		else
			drops[dropped++] = mbufs[i];
	free_burst(drops, dropped);
	return passed;
}

static int forward_or_drop(void *argument)
{
	struct twin *twin = argument;
	struct rte_mbuf *mbufs[MAX_BURST];
	struct rte_mbuf *drops[MAX_BURST];
	uint32_t verdicts[MAX_BURST];

	while (!twin->stop) {
		uint16_t n = rte_eth_rx_burst(twin->in, 0, mbufs, twin->burst);
		if (n == 0)
			continue;
		uint16_t passed = decide(mbufs, n, verdicts) ? n : split(mbufs, n, verdicts, drops);
		uint16_t sent = rte_eth_tx_burst(twin->out, 0, mbufs, passed);
		if (sent < passed)
			free_burst(mbufs + sent, passed - sent);
		twin->counters.received += n;
		twin->counters.sent += sent;
		twin->counters.dropped += n - sent;
	}
	return 0;
}

static void report(void)
{
	printf(",\"hits\":[");
	for (int i = 0; i < rules.count; i++)
		printf("%s%lu", i == 0 ? "" : ",", rules.hits[i]);
	printf("]");
}

static matcher choose(const char *name)
{
	if (strcmp(name, "plain") == 0)
		return plain_matcher(&rules);
	if (strcmp(name, "trie") == 0)
		return trie_matcher(&rules);
	if (strcmp(name, "acl") == 0)
		return acl_matcher(&rules);
	if (strcmp(name, "rte_hash") == 0)
		return rte_hash_matcher(&rules);
	return linear_matcher(&rules);
}

int main(int argc, char **argv)
{
	static struct twin twin;
	twin_open(&twin, argc, argv);
	rules_read(&rules, twin_option("rules", "rules"));
	frees_as_usual = strcmp(twin_option("free", "best"), "usual") == 0;
	match = choose(twin_option("match", "linear"));
	return twin_serve(&twin, forward_or_drop, report);
}
