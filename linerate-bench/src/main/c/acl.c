#include "rules.h"

#include <stdio.h>
#include <stdlib.h>

#include <rte_acl.h>
#include <rte_byteorder.h>

#include "algorithm.h"
#include "twin.h"

/* Fields of a key in the order of the header: TTL (left out), protocol, checksum (left out), source. */
enum { PROTOCOL, SOURCE, FIELDS };

static struct rte_acl_field_def fields[FIELDS] = {
	[PROTOCOL] = {.type = RTE_ACL_FIELD_TYPE_BITMASK, .size = 1, .field_index = 0, .input_index = 0, .offset = 1},
	[SOURCE] = {.type = RTE_ACL_FIELD_TYPE_MASK, .size = 4, .field_index = 1, .input_index = 1, .offset = 4},
};

RTE_ACL_RULE_DEF(acl_rule, FIELDS);

static struct rte_acl_ctx *context;
static uint32_t rule_count;

static void fail(const char *what, int code)
{
	fprintf(stderr, "twin: %s: code=%d\n", what, code);
	exit(1);
}

static void match_in_acl(const uint64_t *keys, uint16_t n, uint32_t *verdicts)
{
	uint64_t headers[MAX_BURST] __rte_cache_aligned;
	const uint8_t *data[MAX_BURST];

	for (uint16_t i = 0; i < n; i++) {
		headers[i] = rte_cpu_to_be_64(keys[i]);
		data[i] = (const uint8_t *)&headers[i];
	}
	rte_acl_classify(context, data, verdicts, n, 1);
	for (uint16_t i = 0; i < n; i++)
		verdicts[i] = verdicts[i] == 0 ? rule_count : verdicts[i] - 1;
}

matcher acl_matcher(const struct rules *rules)
{
	struct rte_acl_param parameters = {
		.name = "acl",
		.socket_id = SOCKET_ID_ANY,
		.rule_size = RTE_ACL_RULE_SZ(FIELDS),
		.max_rule_num = rules->count,
	};
	struct rte_acl_config config = {.num_categories = 1, .num_fields = FIELDS};

	rule_count = rules->count;
	context = rte_acl_create(&parameters);
	if (context == NULL)
		fail("rte_acl_create failed", -1);
	for (uint32_t i = 0; i < rule_count; i++) {
		struct acl_rule rule = {
			.data = {.category_mask = 1, .priority = RTE_ACL_MAX_PRIORITY - i, .userdata = i + 1},
		};
		rule.field[PROTOCOL].value.u8 = rules->values[i] >> PROTOCOL_SHIFT;
		rule.field[PROTOCOL].mask_range.u8 = rules->masks[i] >> PROTOCOL_SHIFT;
		rule.field[SOURCE].value.u32 = rules->values[i];
		rule.field[SOURCE].mask_range.u32 = __builtin_popcount((uint32_t)rules->masks[i]);
		int code = rte_acl_add_rules(context, (const struct rte_acl_rule *)&rule, 1);
		if (code != 0)
			fail("rte_acl_add_rules failed", code);
	}
	for (int i = 0; i < FIELDS; i++)
		config.defs[i] = fields[i];
	uint64_t *keys = malloc(rules->count * sizeof(*keys));
	const uint8_t **data = malloc(rules->count * sizeof(*data));

	for (uint32_t i = 0; i < rule_count; i++) {
		keys[i] = rte_cpu_to_be_64(rules->values[i]);
		data[i] = (const uint8_t *)&keys[i];
	}
	int code = build_fastest(context, &config, data, rule_count);
	if (code != 0)
		fail("rte_acl_build failed", code);
	free(data);
	free(keys);
	return match_in_acl;
}
