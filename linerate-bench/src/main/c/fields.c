#include "fields.h"

#include <stdio.h>
#include <stdlib.h>

#include <rte_ip.h>

#include "algorithm.h"
#include "twin.h"

#define MOST_RULES (1 << 20)

enum { PROTOCOL, SOURCE, DESTINATION, SOURCE_PORT, DESTINATION_PORT, FIELDS };

static const struct rte_acl_field_def fields[FIELDS] = {
	[PROTOCOL] = {.type = RTE_ACL_FIELD_TYPE_BITMASK, .size = 1, .field_index = PROTOCOL, .input_index = 0,
		      .offset = offsetof(struct key, protocol)},
	[SOURCE] = {.type = RTE_ACL_FIELD_TYPE_MASK, .size = 4, .field_index = SOURCE, .input_index = 1,
		    .offset = offsetof(struct key, source)},
	[DESTINATION] = {.type = RTE_ACL_FIELD_TYPE_MASK, .size = 4, .field_index = DESTINATION, .input_index = 2,
			 .offset = offsetof(struct key, destination)},
	[SOURCE_PORT] = {.type = RTE_ACL_FIELD_TYPE_RANGE, .size = 2, .field_index = SOURCE_PORT, .input_index = 3,
			 .offset = offsetof(struct key, source_port)},
	[DESTINATION_PORT] = {.type = RTE_ACL_FIELD_TYPE_RANGE, .size = 2, .field_index = DESTINATION_PORT,
			      .input_index = 3, .offset = offsetof(struct key, destination_port)},
};

RTE_ACL_RULE_DEF(flow_rule, FIELDS);

static void add_rule(struct rte_acl_ctx *context, uint32_t number, const char *line)
{
	uint8_t s[4], d[4];
	uint32_t source_bits, destination_bits, protocol, mask;
	uint16_t source_first, source_last, destination_first, destination_last;

	if (sscanf(line, "@%hhu.%hhu.%hhu.%hhu/%u %hhu.%hhu.%hhu.%hhu/%u %hu : %hu %hu : %hu %x/%x", &s[0], &s[1], &s[2],
		   &s[3], &source_bits, &d[0], &d[1], &d[2], &d[3], &destination_bits, &source_first, &source_last,
		   &destination_first, &destination_last, &protocol, &mask) != 16)
		rte_exit(EXIT_FAILURE, "not a rule: line=%s", line);
	struct flow_rule rule = {
		.data = {.category_mask = 1,
			 .priority = RTE_ACL_MAX_PRIORITY - number,
			 .userdata = number + 1},
		.field = {
			[PROTOCOL] = {.value.u8 = protocol, .mask_range.u8 = mask},
			[SOURCE] = {.value.u32 = RTE_IPV4(s[0], s[1], s[2], s[3]), .mask_range.u32 = source_bits},
			[DESTINATION] = {.value.u32 = RTE_IPV4(d[0], d[1], d[2], d[3]), .mask_range.u32 = destination_bits},
			[SOURCE_PORT] = {.value.u16 = source_first, .mask_range.u16 = source_last},
			[DESTINATION_PORT] = {.value.u16 = destination_first, .mask_range.u16 = destination_last},
		},
	};
	int code = rte_acl_add_rules(context, (const struct rte_acl_rule *)&rule, 1);
	if (code != 0)
		rte_exit(EXIT_FAILURE, "rte_acl_add_rules failed: code=%d\n", code);
}

struct rte_acl_ctx *fields_read(const char *file, uint32_t *count)
{
	struct rte_acl_param parameters = {
		.name = "fields",
		.socket_id = SOCKET_ID_ANY,
		.rule_size = RTE_ACL_RULE_SZ(FIELDS),
		.max_rule_num = MOST_RULES,
	};
	FILE *stream = fopen(file, "r");
	char line[256];

	if (stream == NULL)
		rte_exit(EXIT_FAILURE, "cannot be read: file=%s\n", file);
	struct rte_acl_ctx *context = rte_acl_create(&parameters);
	if (context == NULL)
		rte_exit(EXIT_FAILURE, "rte_acl_create failed\n");
	for (*count = 0; fgets(line, sizeof(line), stream) != NULL; (*count)++)
		add_rule(context, *count, line);
	fclose(stream);
	return context;
}

void fields_build(struct rte_acl_ctx *context, const uint8_t **keys, uint32_t count)
{
	struct rte_acl_config config = {.num_categories = 1, .num_fields = FIELDS};

	for (int i = 0; i < FIELDS; i++)
		config.defs[i] = fields[i];
	int code = build_fastest(context, &config, keys, count);
	if (code != 0)
		rte_exit(EXIT_FAILURE, "rte_acl_build failed: code=%d\n", code);
}
