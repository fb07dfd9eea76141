/*
 * The first of many rules about five fields, by itself, in an rte_acl by the fastest of its algorithms. Program arguments
 * besides those of twin.h, whose port is not used: rules=FILE, in the format of ClassBench and of DPDK's l3fwd,
 *
 *   @SOURCE/BITS DESTINATION/BITS FIRST : LAST FIRST : LAST PROTOCOL/MASK
 *
 * with the ports of source and destination, and flows=FILE: sixteen bytes each, in network order: source, destination,
 * protocol (4 bytes), ports of source and destination; their number a power of two.
 */
#include <stdio.h>
#include <stdlib.h>

#include <rte_acl.h>
#include <rte_byteorder.h>
#include <rte_ip.h>

#include "algorithm.h"
#include "twin.h"

struct flow {
	rte_be32_t source;
	rte_be32_t destination;
	uint8_t zero[3];
	uint8_t protocol;
	rte_be16_t source_port;
	rte_be16_t destination_port;
};

/* rte_acl wants the field of one byte first. */
struct key {
	uint8_t protocol;
	uint8_t zero[3];
	rte_be32_t source;
	rte_be32_t destination;
	rte_be16_t source_port;
	rte_be16_t destination_port;
};

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

#define MOST_RULES (1 << 20)
#define MOST_FLOWS (1 << 16)

static struct rte_acl_ctx *context;
static uint32_t rule_count;
static struct key keys[MOST_FLOWS];
static const uint8_t *data[MOST_FLOWS];
static uint32_t flow_count;
static uint64_t digest;

static void add_rule(const char *line)
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
			 .priority = RTE_ACL_MAX_PRIORITY - rule_count,
			 .userdata = rule_count + 1},
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
	rule_count++;
}

static FILE *open_file(const char *name)
{
	FILE *stream = fopen(name, "rb");

	if (stream == NULL)
		rte_exit(EXIT_FAILURE, "cannot be read: file=%s\n", name);
	return stream;
}

static void read_rules(const char *name)
{
	struct rte_acl_param parameters = {
		.name = "flows",
		.socket_id = SOCKET_ID_ANY,
		.rule_size = RTE_ACL_RULE_SZ(FIELDS),
		.max_rule_num = MOST_RULES,
	};
	FILE *stream = open_file(name);
	char line[256];

	context = rte_acl_create(&parameters);
	if (context == NULL)
		rte_exit(EXIT_FAILURE, "rte_acl_create failed\n");
	while (fgets(line, sizeof(line), stream) != NULL)
		add_rule(line);
	fclose(stream);
}

static void read_flows(const char *name)
{
	FILE *stream = open_file(name);
	struct flow flow;

	while (flow_count < MOST_FLOWS && fread(&flow, sizeof(flow), 1, stream) == 1) {
		keys[flow_count] = (struct key){
			.protocol = flow.protocol,
			.source = flow.source,
			.destination = flow.destination,
			.source_port = flow.source_port,
			.destination_port = flow.destination_port,
		};
		data[flow_count] = (const uint8_t *)&keys[flow_count];
		flow_count++;
	}
	fclose(stream);
}

static void build(void)
{
	struct rte_acl_config config = {.num_categories = 1, .num_fields = FIELDS};

	for (int i = 0; i < FIELDS; i++)
		config.defs[i] = fields[i];
	int code = build_fastest(context, &config, data, flow_count);
	if (code != 0)
		rte_exit(EXIT_FAILURE, "rte_acl_build failed: code=%d\n", code);
}

/* Of the numbers of all flows' rules, once, so that two programs can be compared. */
static uint64_t digest_of(uint16_t burst)
{
	uint32_t results[MAX_BURST];
	uint64_t value = 0;

	for (uint32_t at = 0; at < flow_count; at += burst) {
		rte_acl_classify(context, data + at, results, burst, 1);
		for (uint16_t i = 0; i < burst; i++)
			value = value * 31 + (results[i] == 0 ? rule_count : results[i] - 1);
	}
	return value;
}

static int classify(void *argument)
{
	struct twin *twin = argument;
	uint32_t results[MAX_BURST];
	uint32_t at = 0;

	while (!twin->stop) {
		rte_acl_classify(context, data + at, results, twin->burst, 1);
		at = (at + twin->burst) & (flow_count - 1);
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

	twin_open(&twin, argc, argv);
	read_rules(twin_option("rules", "rules"));
	read_flows(twin_option("flows", "flows"));
	build();
	digest = digest_of(twin.burst);
	return twin_serve(&twin, classify, report);
}
