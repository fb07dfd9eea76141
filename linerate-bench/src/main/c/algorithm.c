#include "algorithm.h"

#include <time.h>

#include <rte_common.h>

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

int build_fastest(struct rte_acl_ctx *context, struct rte_acl_config *config, const uint8_t **keys, uint32_t count)
{
	static const size_t max_sizes[] = {0, (size_t)1 << 22, (size_t)1 << 26, (size_t)1 << 31};
	double least = 2 * NOT_HERE;
	int code = -1;

	for (size_t i = 0; i < RTE_DIM(max_sizes); i++) {
		size_t best = config->max_size;

		config->max_size = max_sizes[i];
		int one = rte_acl_build(context, config);
		double seconds = one == 0 ? choose_algorithm(context, keys, count) : 2 * NOT_HERE;
		if (i == 0 || seconds < least) {
			least = seconds;
			code = one;
		} else {
			config->max_size = best;
		}
	}
	if (code == 0)
		code = rte_acl_build(context, config);
	if (code == 0)
		choose_algorithm(context, keys, count);
	return code;
}
