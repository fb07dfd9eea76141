#include "routes.h"

#include <arpa/inet.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rte_byteorder.h>
#include <rte_errno.h>
#include <rte_fib.h>
#include <rte_fib6.h>
#include <rte_lpm.h>
#include <rte_lpm6.h>

#include "twin.h"

#define MAX_TBL8 (1 << 15)
#define MAX_TBL8_IPV6 (1 << 19)

static struct rte_lpm *lpm;
static struct rte_lpm6 *lpm6;
static struct rte_fib *fib;
static struct rte_fib6 *fib6;

static void lpm_find4(const uint32_t *destinations, uint64_t *hops, uint16_t n)
{
	uint32_t found[MAX_BURST];

	rte_lpm_lookup_bulk(lpm, destinations, found, n);
	for (uint16_t i = 0; i < n; i++)
		hops[i] = found[i] & RTE_LPM_LOOKUP_SUCCESS ? found[i] & 0xFFFFFF : NO_HOP;
}

static void lpm_find6(uint8_t destinations[][16], uint64_t *hops, uint16_t n)
{
	int32_t found[MAX_BURST];

	rte_lpm6_lookup_bulk_func(lpm6, destinations, found, n);
	for (uint16_t i = 0; i < n; i++)
		hops[i] = found[i] >= 0 ? found[i] : NO_HOP;
}

static void usual_find4(const uint32_t *destinations, uint64_t *hops, uint16_t n)
{
	for (uint16_t i = 0; i < n; i++) {
		uint32_t hop;
		hops[i] = rte_lpm_lookup(lpm, destinations[i], &hop) == 0 ? hop : NO_HOP;
	}
}

static void usual_find6(uint8_t destinations[][16], uint64_t *hops, uint16_t n)
{
	for (uint16_t i = 0; i < n; i++) {
		uint32_t hop;
		hops[i] = rte_lpm6_lookup(lpm6, destinations[i], &hop) == 0 ? hop : NO_HOP;
	}
}

static void fib_find4(const uint32_t *destinations, uint64_t *hops, uint16_t n)
{
	rte_fib_lookup_bulk(fib, (uint32_t *)(uintptr_t)destinations, hops, n);
}

static void fib_find6(uint8_t destinations[][16], uint64_t *hops, uint16_t n)
{
	rte_fib6_lookup_bulk(fib6, destinations, hops, n);
}

static void require(bool is, const char *what)
{
	if (!is) {
		fprintf(stderr, "twin: routes: %s failed: text=%s\n", what, rte_strerror(rte_errno));
		exit(1);
	}
}

/* How many lines there are of each version, and of IPv4 with more than 24 bits. */
struct counts {
	int ipv4, ipv6, longer;
};

static struct counts count(FILE *stream)
{
	struct counts counts = {0};
	char line[128];

	while (fgets(line, sizeof(line), stream) != NULL) {
		bool is_ipv6 = strchr(line, ':') != NULL;
		counts.ipv6 += is_ipv6;
		counts.ipv4 += !is_ipv6;
		counts.longer += !is_ipv6 && atoi(strchr(line, '/') + 1) > 24;
	}
	rewind(stream);
	return counts;
}

static void make_lpm(struct counts counts)
{
	if (counts.ipv4 > 0) {
		struct rte_lpm_config config = {.max_rules = counts.ipv4, .number_tbl8s = counts.longer + 256};
		lpm = rte_lpm_create("routes", SOCKET_ID_ANY, &config);
		require(lpm != NULL, "rte_lpm_create");
	}
	if (counts.ipv6 > 0) {
		struct rte_lpm6_config config = {.max_rules = counts.ipv6,
						 .number_tbl8s = RTE_MIN(6 * counts.ipv6 + 256, MAX_TBL8_IPV6)};
		lpm6 = rte_lpm6_create("routes6", SOCKET_ID_ANY, &config);
		require(lpm6 != NULL, "rte_lpm6_create");
	}
}

static void make_fib(struct counts counts)
{
	if (counts.ipv4 > 0) {
		struct rte_fib_conf config = {.type = RTE_FIB_DIR24_8,
					      .default_nh = NO_HOP,
					      .max_routes = counts.ipv4 + 1,
					      .dir24_8 = {.nh_sz = RTE_FIB_DIR24_8_2B,
							  .num_tbl8 = RTE_MIN(counts.longer + 256, MAX_TBL8 - 1)}};
		fib = rte_fib_create("routes", SOCKET_ID_ANY, &config);
		require(fib != NULL, "rte_fib_create");
	}
	if (counts.ipv6 > 0) {
		struct rte_fib6_conf config = {
			.type = RTE_FIB6_TRIE,
			.default_nh = NO_HOP,
			.max_routes = counts.ipv6 + 1,
			.trie = {.nh_sz = RTE_FIB6_TRIE_4B, .num_tbl8 = RTE_MIN(6 * counts.ipv6 + 256, MAX_TBL8_IPV6)}};
		fib6 = rte_fib6_create("routes6", SOCKET_ID_ANY, &config);
		require(fib6 != NULL, "rte_fib6_create");
	}
}

static int add4(const char *address, uint8_t bits, uint32_t hop)
{
	struct in_addr prefix;

	require(inet_pton(AF_INET, address, &prefix) == 1, "reading an address");
	uint32_t value = rte_be_to_cpu_32(prefix.s_addr);
	return fib != NULL ? rte_fib_add(fib, value, bits, hop) : rte_lpm_add(lpm, value, bits, hop);
}

static int add6(const char *address, uint8_t bits, uint32_t hop)
{
	uint8_t prefix[16];

	require(inet_pton(AF_INET6, address, prefix) == 1, "reading an address");
	return fib6 != NULL ? rte_fib6_add(fib6, prefix, bits, hop) : rte_lpm6_add(lpm6, prefix, bits, hop);
}

static void add_all(FILE *stream)
{
	char line[128], address[64];
	int bits, hop;

	while (fgets(line, sizeof(line), stream) != NULL) {
		require(sscanf(line, "%63[0-9a-f.:]/%d %d", address, &bits, &hop) == 3, "reading a line");
		int code = strchr(address, ':') == NULL ? add4(address, bits, hop) : add6(address, bits, hop);
		if (code != 0) {
			fprintf(stderr, "twin: route cannot be added: line=%s", line);
			exit(1);
		}
	}
}

struct routes routes_read(const char *file, const char *table)
{
	FILE *stream = fopen(file, "r");

	if (stream == NULL) {
		perror(file);
		exit(2);
	}
	struct counts counts = count(stream);
	bool is_fib = strcmp(table, "fib") == 0;
	(is_fib ? make_fib : make_lpm)(counts);
	add_all(stream);
	fclose(stream);
	if (is_fib)
		return (struct routes){fib_find4, fib_find6};
	if (strcmp(table, "usual") == 0)
		return (struct routes){usual_find4, usual_find6};
	return (struct routes){lpm_find4, lpm_find6};
}
