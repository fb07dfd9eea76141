#include "rules.h"

#include <stdlib.h>
#include <string.h>

#include "twin.h"

/* Rules that are compared with a key in one round: as many as leave vector registers for keys. */
#define BLOCK 8

/* The value of a rule that fills up a block: with a mask of 0 it matches no key. */
#define NEVER (1ull << 62)

static int rule_count;
static int padded_count;
static uint64_t *masks;
static uint64_t *values;

static void copy_rules(const struct rules *rules)
{
	rule_count = rules->count;
	padded_count = (rule_count + BLOCK - 1) / BLOCK * BLOCK;
	masks = calloc(padded_count + 1, sizeof(*masks));
	values = calloc(padded_count + 1, sizeof(*values));
	memcpy(masks, rules->masks, rule_count * sizeof(*masks));
	memcpy(values, rules->values, rule_count * sizeof(*values));
	for (int i = rule_count; i < padded_count; i++)
		values[i] = NEVER;
}

static inline uint32_t first_match(uint64_t key)
{
	for (int i = 0; i < rule_count; i++)
		if ((key & masks[i]) == values[i])
			return i;
	return rule_count;
}

static void match_plainly(const uint64_t *keys, uint16_t n, uint32_t *verdicts)
{
	for (uint16_t i = 0; i < n; i++)
		verdicts[i] = first_match(keys[i]);
}

matcher plain_matcher(const struct rules *rules)
{
	copy_rules(rules);
	return match_plainly;
}

/* Both operands are positive, so that their difference less one is negative if they are equal, and only then. */
static inline uint64_t differs(uint64_t key, uint64_t mask, uint64_t value)
{
	return ((key & mask) ^ value) - 1;
}

static void mark_block(const uint64_t *restrict mask, const uint64_t *restrict value, const uint64_t *restrict keys,
		       uint16_t n, uint64_t *restrict any)
{
	for (uint16_t i = 0; i < n; i++) {
		uint64_t key = keys[i];
		any[i] |= differs(key, mask[0], value[0]) | differs(key, mask[1], value[1]) |
			  differs(key, mask[2], value[2]) | differs(key, mask[3], value[3]) |
			  differs(key, mask[4], value[4]) | differs(key, mask[5], value[5]) |
			  differs(key, mask[6], value[6]) | differs(key, mask[7], value[7]);
	}
}

static void match_in_blocks(const uint64_t *keys, uint16_t n, uint32_t *verdicts)
{
	uint64_t any[MAX_BURST] __rte_cache_aligned;

	memset(any, 0, n * sizeof(any[0]));
	for (int rule = 0; rule < padded_count; rule += BLOCK)
		mark_block(masks + rule, values + rule, keys, n, any);
	for (uint16_t i = 0; i < n; i++)
		verdicts[i] = (int64_t)any[i] >= 0 ? (uint32_t)rule_count : first_match(keys[i]);
}

matcher linear_matcher(const struct rules *rules)
{
	copy_rules(rules);
	return match_in_blocks;
}
