#include "rules.h"

#include <stdio.h>
#include <stdlib.h>

#include <rte_errno.h>
#include <rte_hash.h>
#include <rte_hash_crc.h>
#include <rte_malloc.h>

#include "twin.h"

static int rule_count;

/* --- rte_hash ---------------------------------------------------------------------------------------------------- */

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

/* --- Open addressing, see io.linerate.apps.firewall.ExactRules --------------------------------------------------- */

#define NUMBER_BITS 23
#define NUMBER_MASK ((1u << NUMBER_BITS) - 1)
#define MULTIPLIER 0x9E3779B97F4A7C15ull
#define LEAST_SLOTS 16

static uint64_t *slots;
static uint64_t slot_mask;
static int hash_shift;

static inline uint64_t slot_key(uint64_t key)
{
	return (key & UINT32_MAX) | (key >> PROTOCOL_SHIFT & 0xFF) << 32;
}

static inline uint64_t slot_of(uint64_t slot_key)
{
	return slot_key * MULTIPLIER >> hash_shift;
}

static void put(uint64_t key, uint32_t rule)
{
	uint64_t at = slot_of(key);
	while (slots[at] != 0)
		at = (at + 1) & slot_mask;
	slots[at] = key << NUMBER_BITS | (rule + 1);
}

static uint32_t probe(uint64_t key)
{
	uint64_t at = slot_of(key);
	while (slots[at] != 0 && slots[at] >> NUMBER_BITS != key)
		at = (at + 1) & slot_mask;
	return slots[at] == 0 ? (uint32_t)rule_count : (slots[at] & NUMBER_MASK) - 1;
}

/* The first slots of all keys are read before one is looked at, so that they come from memory together. */
static void match_in_open_hash(const uint64_t *keys, uint16_t n, uint32_t *verdicts)
{
	uint64_t first[MAX_BURST];

	for (uint16_t i = 0; i < n; i++)
		first[i] = slots[slot_of(slot_key(keys[i]))];
	for (uint16_t i = 0; i < n; i++) {
		if (first[i] == 0)
			verdicts[i] = rule_count;
		else if (first[i] >> NUMBER_BITS == slot_key(keys[i]))
			verdicts[i] = (first[i] & NUMBER_MASK) - 1;
		else
			verdicts[i] = probe(slot_key(keys[i]));
	}
}

matcher open_hash_matcher(const struct rules *rules)
{
	uint64_t size = LEAST_SLOTS;

	rule_count = rules->count;
	while (size <= (uint64_t)rule_count * 2)
		size *= 2;
	slots = rte_zmalloc("slots", size * sizeof(*slots), RTE_CACHE_LINE_SIZE);
	if (slots == NULL) {
		fprintf(stderr, "twin: no memory for the table: slots=%lu\n", size);
		exit(1);
	}
	slot_mask = size - 1;
	hash_shift = __builtin_clzll(slot_mask);
	for (int i = 0; i < rule_count; i++)
		put(slot_key(rules->values[i]), i);
	return match_in_open_hash;
}
