#include "rules.h"

#include <stdlib.h>

#include "twin.h"

#define COLUMNS 5
#define VALUES 256
#define WORD 64

static const int shifts[COLUMNS] = {24, 16, 8, 0, PROTOCOL_SHIFT};

static uint32_t rule_count;
static uint32_t words;

/* For 64 rules after the other, and each value of a byte, the rules that agree with it. */
static uint64_t *tables[COLUMNS];

static inline uint32_t first_match(uint64_t key)
{
	for (uint32_t word = 0; word < words; word++) {
		uint32_t start = word * VALUES;
		uint64_t matches = tables[0][start | (key >> 24 & 0xFF)] & tables[1][start | (key >> 16 & 0xFF)] &
				   tables[2][start | (key >> 8 & 0xFF)] & tables[3][start | (key & 0xFF)] &
				   tables[4][start | (key >> PROTOCOL_SHIFT & 0xFF)];

		if (matches != 0)
			return word * WORD + __builtin_ctzll(matches);
	}
	return rule_count;
}

static void match_by_bits(const uint64_t *keys, uint16_t n, uint32_t *verdicts)
{
	for (uint16_t i = 0; i < n; i++)
		verdicts[i] = first_match(keys[i]);
}

matcher bits_matcher(const struct rules *rules)
{
	rule_count = rules->count;
	words = (rule_count + WORD - 1) / WORD;
	for (int column = 0; column < COLUMNS; column++) {
		tables[column] = calloc(words * VALUES + 1, sizeof(uint64_t));
		for (uint32_t rule = 0; rule < rule_count; rule++) {
			uint64_t mask = rules->masks[rule] >> shifts[column] & 0xFF;
			uint64_t wanted = rules->values[rule] >> shifts[column] & 0xFF;

			for (uint64_t value = 0; value < VALUES; value++)
				if ((value & mask) == wanted)
					tables[column][rule / WORD * VALUES + value] |= 1ull << rule % WORD;
		}
	}
	return match_by_bits;
}
