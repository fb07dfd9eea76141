/*
 * The twin of `linerate firewall` with rules about states: what is of a connection passes, what is of none is dropped,
 * and an rte_acl says what may begin one. Program arguments besides those of twin.h: acl=FILE, see fields.h; setup=FILE:
 * frames that are seen beforehand; connections=N at most; index=own: that of session.h, or rte_hash; free=best, or usual:
 * as the examples of DPDK do it.
 */
#include <stdio.h>
#include <stdlib.h>

#include <rte_hash.h>

#include "box.h"
#include "fields.h"
#include "tcp.h"

/* The first rules are about what is established, and what is invalid. */
#define FIRST_RULE 2

static struct sessions sessions;
static struct rte_hash *hash;
static struct rte_acl_ctx *context;
static uint32_t rule_count;
static uint64_t *hits;
static bool frees_as_usual;

static void look_up_in_rte_hash(struct rte_mbuf **mbufs, uint16_t n, struct lookup *lookups)
{
	const void *keys[RTE_HASH_LOOKUP_BULK_MAX];
	hash_sig_t signatures[RTE_HASH_LOOKUP_BULK_MAX];
	void *data[RTE_HASH_LOOKUP_BULK_MAX];

	for (uint16_t start = 0; start < n; start += RTE_HASH_LOOKUP_BULK_MAX) {
		uint16_t batch = RTE_MIN(n - start, RTE_HASH_LOOKUP_BULK_MAX);
		uint64_t found = 0;
		for (uint16_t i = 0; i < batch; i++) {
			struct lookup *lookup = &lookups[start + i];
			session_read(mbufs[start + i], lookup);
			keys[i] = &lookup->flow;
			signatures[i] = lookup->hash;
		}
		rte_hash_lookup_with_hash_bulk_data(hash, keys, signatures, batch, &found, data);
		for (uint16_t i = 0; i < batch; i++) {
			lookups[start + i].place = found >> i & 1 ? (uint32_t)(uintptr_t)data[i] : NO_SESSION;
			if (found >> i & 1)
				rte_prefetch0(&sessions.records[(uintptr_t)data[i] >> 1]);
		}
	}
}

static void enter_in_rte_hash(uint32_t place)
{
	const struct flow *flow = &sessions.records[place >> 1].flows[place & 1];

	if (rte_hash_add_key_with_hash_data(hash, flow, session_hash(flow), (void *)(uintptr_t)place) != 0)
		rte_exit(EXIT_FAILURE, "rte_hash_add_key_with_hash_data failed: place=%u\n", place);
}

/* Whether a rule lets it begin a connection. */
static bool begin(struct rte_mbuf *mbuf, struct lookup *lookup, uint64_t now_ns)
{
	struct key key = {
		.protocol = lookup->flow.kind >> 32,
		.source = lookup->flow.addresses,
		.destination = lookup->flow.addresses >> 32,
		.source_port = lookup->flow.kind,
		.destination_port = lookup->flow.kind >> 16,
	};
	const uint8_t *data = (const uint8_t *)&key;
	struct flow reply = session_reverse(&lookup->flow);
	uint32_t rule;

	rte_acl_classify(context, &data, &rule, 1, 1);
	if (rule == 0)
		return false;
	hits[FIRST_RULE + rule - 1]++;
	uint32_t number = session_admit(&sessions, mbuf, lookup, &reply, now_ns);
	if (number == NO_SESSION)
		return false;
	if (hash != NULL) {
		enter_in_rte_hash(2 * number);
		enter_in_rte_hash(2 * number + 1);
	}
	return true;
}

static void filter(struct rte_mbuf **mbufs, uint16_t n, struct outcome *outcome)
{
	struct lookup lookups[MAX_BURST];
	uint64_t now_ns = session_now_ns();
	uint64_t established = 0;
	struct tally tally = {0, 0};

	if (hash != NULL)
		look_up_in_rte_hash(mbufs, n, lookups);
	else
		sessions_look_up(&sessions, mbufs, n, lookups);
	for (uint16_t i = 0; i < n; i++) {
		enum relation relation = session_track(&sessions, mbufs[i], &lookups[i], now_ns);
		bool passes = relation == ESTABLISHED;
		established += passes;
		if (relation == FRESH)
			passes = begin(mbufs[i], &lookups[i], now_ns);
		else if (relation == INVALID)
			hits[1]++;
		box_put(outcome, &tally, mbufs[i], passes);
	}
	box_end(outcome, &tally);
	hits[0] += established;
}

static int run(void *argument)
{
	return box_run(argument, filter, frees_as_usual);
}

static void report(void)
{
	printf(",\"hits\":[");
	for (uint32_t i = 0; i < FIRST_RULE + rule_count; i++)
		printf("%s%lu", i == 0 ? "" : ",", hits[i]);
	printf("]");
}

static uint32_t hash_key(const void *key, uint32_t bytes, uint32_t seed)
{
	RTE_SET_USED(bytes);
	RTE_SET_USED(seed);
	return session_hash(key);
}

static void open_rte_hash(uint32_t capacity)
{
	struct rte_hash_parameters parameters = {
		.name = "sessions",
		.entries = 2 * capacity,
		.key_len = sizeof(struct flow),
		.hash_func = hash_key,
		.socket_id = SOCKET_ID_ANY,
		.extra_flag = RTE_HASH_EXTRA_FLAGS_EXT_TABLE,
	};

	hash = rte_hash_create(&parameters);
	if (hash == NULL)
		rte_exit(EXIT_FAILURE, "rte_hash_create failed: entries=%u\n", 2 * capacity);
}

int main(int argc, char **argv)
{
	static struct twin twin;
	static struct key any;
	const uint8_t *keys = (const uint8_t *)&any;

	twin_open(&twin, argc, argv);
	frees_as_usual = strcmp(twin_option("free", "best"), "usual") == 0;
	uint32_t capacity = atoi(twin_option("connections", "65536"));
	sessions_open(&sessions, capacity);
	if (strcmp(twin_option("index", "own"), "rte_hash") == 0)
		open_rte_hash(capacity);
	context = fields_read(twin_option("acl", "acl"), &rule_count);
	fields_build(context, &keys, 1);
	hits = calloc(FIRST_RULE + rule_count, sizeof(*hits));
	box_see(&twin, twin_option("setup", ""), filter);
	return twin_serve(&twin, run, report);
}
