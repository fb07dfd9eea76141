/*
 * The classifier of `linerate firewall` by itself: the first rule for each of many keys, without packets. Program
 * arguments besides those of twin.h, whose port is not used: rules=FILE, match=trie|acl, see rules.h, and
 * keys=FILE: words of eight bytes in network order, their number a power of two.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rte_byteorder.h>

#include "rules.h"
#include "twin.h"

static struct rules rules;
static matcher match;
static uint64_t *keys;
static uint64_t key_count;
static uint64_t digest;

static void read_keys(const char *file)
{
	FILE *stream = fopen(file, "rb");

	if (stream == NULL || fseek(stream, 0, SEEK_END) != 0) {
		perror(file);
		exit(2);
	}
	key_count = ftell(stream) / sizeof(*keys);
	keys = malloc(key_count * sizeof(*keys));
	rewind(stream);
	if (keys == NULL || fread(keys, sizeof(*keys), key_count, stream) != key_count) {
		fprintf(stderr, "twin: keys cannot be read: file=%s\n", file);
		exit(2);
	}
	fclose(stream);
	for (uint64_t i = 0; i < key_count; i++)
		keys[i] = rte_be_to_cpu_64(keys[i]);
}

/* Of the numbers of all keys' rules, once, so that two programs can be compared. */
static uint64_t digest_of(uint16_t burst)
{
	uint32_t verdicts[MAX_BURST];
	uint64_t value = 0;

	for (uint64_t i = 0; i < key_count; i += burst) {
		match(keys + i, burst, verdicts);
		for (uint16_t k = 0; k < burst; k++)
			value = value * 31 + verdicts[k];
	}
	return value;
}

static int classify(void *argument)
{
	struct twin *twin = argument;
	uint32_t verdicts[MAX_BURST];
	uint64_t at = 0;

	while (!twin->stop) {
		match(keys + at, twin->burst, verdicts);
		at = (at + twin->burst) & (key_count - 1);
		twin->counters.received += twin->burst;
	}
	return 0;
}

static void report(void)
{
	printf(",\"digest\":\"%lx\"", digest);
}

int main(int argc, char **argv)
{
	static struct twin twin;
	const char *name;

	twin_open(&twin, argc, argv);
	rules_read(&rules, twin_option("rules", "rules"));
	read_keys(twin_option("keys", "keys"));
	name = twin_option("match", "trie");
	match = strcmp(name, "acl") == 0 ? acl_matcher(&rules) : trie_matcher(&rules);
	digest = digest_of(twin.burst);
	return twin_serve(&twin, classify, report);
}
