#include "rules.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "twin.h"

/* The table of io.linerate.wire.classify.Ipv4Table, which see: nodes of 32, 32, 32 and 64 children, equal ones once. */

#define ROOTS 65536
#define PROTOCOLS 256
#define CHAIN 4 /* words of the nodes and the value for one value */

static uint64_t *words;
static uint32_t end;
static uint32_t capacity;

static uint32_t columns[PROTOCOLS];
static uint32_t width;
static uint32_t *firsts;

/* The ranges, while the table is made: where each begins, and its row. */
static uint64_t *starts;
static uint32_t *rows;
static uint32_t range_count;
static uint32_t *chains; /* by row: where the nodes of one value begin, or 0 */

static void *grow(void *memory, size_t bytes)
{
	void *more = realloc(memory, bytes);

	if (more == NULL) {
		fprintf(stderr, "twin: no memory for the table: bytes=%zu\n", bytes);
		exit(1);
	}
	return more;
}

static uint32_t allocate(uint32_t count)
{
	uint32_t place = end;

	end += count;
	if (end > capacity) {
		capacity = 2 * end;
		words = grow(words, capacity * sizeof(*words));
	}
	return place;
}

static uint64_t node(uint32_t first, uint32_t size, uint32_t begins)
{
	return (uint64_t)(first - size) << 32 | begins;
}

static uint32_t chain(uint32_t row)
{
	if (chains[row] == 0) {
		uint32_t place = chains[row] = allocate(CHAIN);
		words[place] = node(place + 1, 2, 1);
		words[place + 1] = 1;
		words[place + 2] = place + 2;
		words[place + 3] = row * width;
	}
	return chains[row];
}

static uint32_t range_of(uint64_t address, uint32_t from)
{
	while (from + 1 < range_count && starts[from + 1] <= address)
		from++;
	return from;
}

static bool is_uniform(uint32_t range, uint64_t first, int bits)
{
	return range + 1 == range_count || starts[range + 1] >= first + (1ull << bits);
}

static void lowest(uint32_t place, uint64_t first, uint32_t range)
{
	uint64_t begins = 1;
	uint32_t children = allocate(1);

	words[children] = rows[range] * width;
	for (int part = 1; part < 64; part++) {
		uint32_t before = range;
		range = range_of(first + part, range);
		if (rows[range] != rows[before]) {
			uint32_t child = allocate(1);
			words[child] = rows[range] * width;
			begins |= 1ull << part;
		}
	}
	words[place] = begins;
	words[place + 1] = children - 1;
}

static uint64_t upper(uint64_t first, uint32_t range, int bits)
{
	uint32_t own[32];
	uint32_t begins = 0;
	bool was_uniform = false;

	for (int part = 0; part < 32; part++) {
		uint64_t start = first + ((uint64_t)part << bits);
		own[part] = range = range_of(start, range);
		bool uniform = is_uniform(range, start, bits);
		if (!uniform || !was_uniform || rows[range] != rows[own[part - 1]])
			begins |= 1u << part;
		was_uniform = uniform;
	}
	uint32_t size = bits == 11 ? 1 : 2;
	uint32_t children = allocate(size * __builtin_popcount(begins));
	uint32_t child = children;
	for (int part = 0; part < 32; part++) {
		if ((begins >> part & 1) == 0)
			continue;
		uint64_t start = first + ((uint64_t)part << bits);
		if (size == 2) {
			lowest(child, start, own[part]);
		} else {
			uint64_t made = is_uniform(own[part], start, bits) ? node(chain(rows[own[part]]) + 1, 2, 1)
									   : upper(start, own[part], 6);
			words[child] = made;
		}
		child += size;
	}
	return node(children, size, begins);
}

static int compare_starts(const void *one, const void *other)
{
	uint64_t left = *(const uint64_t *)one, right = *(const uint64_t *)other;

	return left < right ? -1 : left > right;
}

/* Where any rule begins or ends. */
static void find_starts(const struct rules *rules)
{
	uint32_t count = 1;

	starts = calloc(2 * rules->count + 1, sizeof(*starts));
	for (int i = 0; i < rules->count; i++) {
		uint64_t first = rules->values[i] & UINT32_MAX;
		uint64_t after = first + (~rules->masks[i] & UINT32_MAX) + 1;
		starts[count++] = first;
		if (after <= UINT32_MAX)
			starts[count++] = after;
	}
	qsort(starts, count, sizeof(*starts), compare_starts);
	range_count = 1;
	for (uint32_t i = 1; i < count; i++)
		if (starts[i] != starts[range_count - 1])
			starts[range_count++] = starts[i];
}

/* A row for each range: nobody measures how long this takes. */
static void find_rows(const struct rules *rules)
{
	width = 1;
	for (int i = 0; i < rules->count; i++) {
		uint32_t protocol = rules->values[i] >> PROTOCOL_SHIFT & 0xFF;
		if (rules->masks[i] >> PROTOCOL_SHIFT != 0 && columns[protocol] == 0)
			columns[protocol] = width++;
	}
	firsts = calloc((size_t)range_count * width, sizeof(*firsts));
	rows = calloc(range_count, sizeof(*rows));
	chains = calloc(range_count, sizeof(*chains));
	for (size_t i = 0; i < (size_t)range_count * width; i++)
		firsts[i] = rules->count;
	for (uint32_t range = 0; range < range_count; range++)
		rows[range] = range;
	for (int i = rules->count - 1; i >= 0; i--) {
		uint64_t first = rules->values[i] & UINT32_MAX;
		uint64_t after = first + (~rules->masks[i] & UINT32_MAX) + 1;
		uint64_t *start = bsearch(&first, starts, range_count, sizeof(*starts), compare_starts);
		uint32_t protocol = rules->values[i] >> PROTOCOL_SHIFT & 0xFF;
		for (uint32_t range = start - starts; range < range_count && starts[range] < after; range++)
			for (uint32_t column = 0; column < width; column++)
				if (rules->masks[i] >> PROTOCOL_SHIFT == 0 || columns[protocol] == column)
					firsts[(size_t)range * width + column] = i;
	}
}

/* In two rounds, so that what comes from memory comes together. */
static void match_in_trie(const uint64_t *keys, uint16_t n, uint32_t *verdicts)
{
	for (uint16_t i = 0; i < n; i++) {
		uint32_t address = keys[i];
		uint64_t root = words[address >> 16];
		uint64_t node = words[(root >> 32) + __builtin_popcount((uint32_t)root << (~address >> 11 & 31))];
		verdicts[i] = (node >> 32) + 2 * __builtin_popcount((uint32_t)node << (~address >> 6 & 31));
	}
	for (uint16_t i = 0; i < n; i++) {
		uint64_t place = words[verdicts[i]] << (~keys[i] & 63);
		uint64_t row = words[(uint32_t)words[verdicts[i] + 1] + __builtin_popcountll(place)];
		verdicts[i] = firsts[row + columns[keys[i] >> PROTOCOL_SHIFT & 0xFF]];
	}
}

matcher trie_matcher(const struct rules *rules)
{
	find_starts(rules);
	find_rows(rules);
	allocate(ROOTS);
	uint32_t range = 0;
	for (uint64_t root = 0; root < ROOTS; root++) {
		uint64_t first = root << 16;
		range = range_of(first, range);
		uint64_t made = is_uniform(range, first, 16) ? node(chain(rows[range]), 1, 1) : upper(first, range, 11);
		words[root] = made;
	}
	return match_in_trie;
}
