#include "rules.h"

#include <stdio.h>
#include <stdlib.h>

#include <rte_errno.h>
#include <rte_hash.h>
#include <rte_hash_crc.h>

#include "twin.h"

static int rule_count;

static struct rte_hash *hash;

static uint32_t hash_key(const void *key, uint32_t bytes, uint32_t seed)
{
	RTE_SET_USED(bytes);
	return rte_hash_crc_8byte(*(const uint64_t *)key, seed);
}

/* Instead of memcmp, which rte_hash calls for keys that are no multiple of 16 bytes long. */
static int differ(const void *one, const void *other, size_t bytes)
{
	RTE_SET_USED(bytes);
	return *(const uint64_t *)one != *(const uint64_t *)other;
}

static void match_in_rte_hash(const uint64_t *keys, uint16_t n, uint32_t *verdicts)
{
	const void *pointers[RTE_HASH_LOOKUP_BULK_MAX];
	hash_sig_t signatures[RTE_HASH_LOOKUP_BULK_MAX];
	void *data[RTE_HASH_LOOKUP_BULK_MAX];

	for (uint16_t start = 0; start < n; start += RTE_HASH_LOOKUP_BULK_MAX) {
		uint16_t batch = RTE_MIN(n - start, RTE_HASH_LOOKUP_BULK_MAX);
		uint64_t hits = 0;
		for (uint16_t i = 0; i < batch; i++) {
			pointers[i] = keys + start + i;
			signatures[i] = hash_key(pointers[i], sizeof(*keys), 0);
		}
		rte_hash_lookup_with_hash_bulk_data(hash, pointers, signatures, batch, &hits, data);
		for (uint16_t i = 0; i < batch; i++)
			verdicts[start + i] = hits >> i & 1 ? (uint32_t)(uintptr_t)data[i] : (uint32_t)rule_count;
	}
}

matcher rte_hash_matcher(const struct rules *rules)
{
	struct rte_hash_parameters parameters = {
		.name = "rules",
		.entries = RTE_MAX(rules->count, 8),
		.key_len = sizeof(uint64_t),
		.hash_func = hash_key,
		.socket_id = SOCKET_ID_ANY,
		/* Otherwise a key whose two buckets are full could not be added. */
		.extra_flag = RTE_HASH_EXTRA_FLAGS_EXT_TABLE,
	};

	rule_count = rules->count;
	hash = rte_hash_create(&parameters);
	if (hash == NULL) {
		fprintf(stderr, "twin: rte_hash_create failed: text=%s\n", rte_strerror(rte_errno));
		exit(1);
	}
	rte_hash_set_cmp_func(hash, differ);
	for (int i = 0; i < rule_count; i++)
		if (rte_hash_add_key_data(hash, &rules->values[i], (void *)(uintptr_t)i) != 0) {
			fprintf(stderr, "twin: rte_hash_add_key_data failed: rule=%d\n", i);
			exit(1);
		}
	return match_in_rte_hash;
}
