/*
 * The first of many rules about five fields, by itself, in an rte_acl by the fastest of its algorithms. Program arguments
 * besides those of twin.h, whose port is not used: rules=FILE, see fields.h, and flows=FILE: sixteen bytes each, in
 * network order: source, destination, protocol (4 bytes), ports of source and destination; their number a power of two.
 */
#include <stdio.h>
#include <stdlib.h>

#include "fields.h"
#include "twin.h"

struct flow {
	rte_be32_t source;
	rte_be32_t destination;
	uint8_t zero[3];
	uint8_t protocol;
	rte_be16_t source_port;
	rte_be16_t destination_port;
};

#define MOST_FLOWS (1 << 16)

static struct rte_acl_ctx *context;
static uint32_t rule_count;
static struct key keys[MOST_FLOWS];
static const uint8_t *data[MOST_FLOWS];
static uint32_t flow_count;
static uint64_t digest;

static void read_flows(const char *name)
{
	FILE *stream = fopen(name, "rb");
	struct flow flow;

	if (stream == NULL)
		rte_exit(EXIT_FAILURE, "cannot be read: file=%s\n", name);
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
	context = fields_read(twin_option("rules", "rules"), &rule_count);
	read_flows(twin_option("flows", "flows"));
	fields_build(context, data, flow_count);
	digest = digest_of(twin.burst);
	return twin_serve(&twin, classify, report);
}
