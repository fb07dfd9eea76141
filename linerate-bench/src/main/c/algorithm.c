#include "algorithm.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <rte_common.h>
#include <rte_eal.h>

#include "twin.h"

/* In bursts, for one look at an algorithm; and how many looks each gets, by turns. */
#define ROUNDS 2000
#define LOOKS 30

#define BURST 32
#define NOT_HERE 1e9

static double seconds_of(struct rte_acl_ctx *context, enum rte_acl_classify_alg algorithm, const uint8_t **keys,
			 uint32_t count)
{
	uint32_t n = RTE_MIN(count, (uint32_t)BURST);
	uint32_t results[BURST];
	struct timespec start, stop;
	uint32_t at = 0;

	if (rte_acl_set_ctx_classify(context, algorithm) != 0)
		return NOT_HERE;
	clock_gettime(CLOCK_MONOTONIC, &start);
	for (int round = 0; round < ROUNDS; round++) {
		rte_acl_classify(context, keys + at, results, n, 1);
		at = at + 2 * n <= count ? at + n : 0;
	}
	clock_gettime(CLOCK_MONOTONIC, &stop);
	return (stop.tv_sec - start.tv_sec) + (stop.tv_nsec - start.tv_nsec) / 1e9;
}

/* Returns how long the fastest takes. */
static double choose_algorithm(struct rte_acl_ctx *context, const uint8_t **keys, uint32_t count)
{
	enum rte_acl_classify_alg best = RTE_ACL_CLASSIFY_SCALAR;
	double least = NOT_HERE;

	for (int look = 0; look < LOOKS; look++)
		for (enum rte_acl_classify_alg each = RTE_ACL_CLASSIFY_SCALAR; each <= RTE_ACL_CLASSIFY_AVX512X32; each++) {
			double seconds = seconds_of(context, each, keys, count);
			if (seconds < least) {
				least = seconds;
				best = each;
			}
		}
	rte_acl_set_ctx_classify(context, best);
	return least;
}

/* The limit that is in the file; 0 and false while there is no such file. */
static bool read_limit(const char *file, size_t *limit)
{
	FILE *stream = fopen(file, "r");

	if (stream == NULL)
		return false;
	bool known = fscanf(stream, "%zu", limit) == 1;
	fclose(stream);
	return known;
}

static void write_limit(const char *file, size_t limit)
{
	FILE *stream = fopen(file, "w");

	if (stream == NULL || fprintf(stream, "%zu\n", limit) < 0 || fclose(stream) != 0)
		rte_exit(EXIT_FAILURE, "cannot be written: limit=%s\n", file);
}

static size_t fastest_limit(struct rte_acl_ctx *context, struct rte_acl_config *config, const uint8_t **keys,
			    uint32_t count)
{
	static const size_t limits[] = {0, (size_t)1 << 22, (size_t)1 << 26, (size_t)1 << 31};
	double least = NOT_HERE;
	size_t best = limits[0];

	for (size_t i = 0; i < RTE_DIM(limits); i++) {
		config->max_size = limits[i];
		if (rte_acl_build(context, config) != 0)
			continue;
		double seconds = choose_algorithm(context, keys, count);
		if (seconds < least) {
			least = seconds;
			best = limits[i];
		}
	}
	return best;
}

int build_fastest(struct rte_acl_ctx *context, struct rte_acl_config *config, const uint8_t **keys, uint32_t count)
{
	const char *file = twin_option("limit", "");

	if (!read_limit(file, &config->max_size)) {
		config->max_size = fastest_limit(context, config, keys, count);
		if (*file != '\0')
			write_limit(file, config->max_size);
	}
	int code = rte_acl_build(context, config);
	if (code == 0)
		choose_algorithm(context, keys, count);
	return code;
}
