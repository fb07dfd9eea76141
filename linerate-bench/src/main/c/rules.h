/* The rules of the firewall, and the ways to find the first one that matches. */
#ifndef LINERATE_RULES_H
#define LINERATE_RULES_H

#include <stdbool.h>
#include <stdint.h>

/* A key is the eight bytes of the IPv4 header from the TTL to the source, without TTL and checksum. */
#define KEY_MASK 0x00FF0000FFFFFFFFull
#define PROTOCOL_SHIFT 48

/* The key of a packet that is none of the rules' business. */
#define NO_KEY UINT64_MAX

struct rules {
	int count;
	uint64_t *masks;
	uint64_t *values;
	bool *passes;  /* for each rule, then by default, then for what is not IPv4 */
	uint64_t *hits; /* likewise */
};

/* Finds the first rule for each of n keys, or the number of rules. What it leaves for NO_KEY does not matter. */
typedef void (*matcher)(const uint64_t *keys, uint16_t n, uint32_t *verdicts);

/* Reads a file of lines "drop|pass ADDRESS[/PREFIX] [PROTOCOL]" and "default drop|pass". Ends the process if it cannot. */
void rules_read(struct rules *rules, const char *file);

/* One rule after the other, up to the first that matches: as one would write it at first. */
matcher plain_matcher(const struct rules *rules);

/* All rules, in vector instructions: a block of them stays in registers while the keys of the burst go by. */
matcher linear_matcher(const struct rules *rules);

/* In the tables that Linerate has. */
matcher trie_matcher(const struct rules *rules);

/* In an rte_acl, by the fastest of its algorithms. */
matcher acl_matcher(const struct rules *rules);

/* Rules that name one address and one protocol each, in an rte_hash. */
matcher rte_hash_matcher(const struct rules *rules);

#endif
