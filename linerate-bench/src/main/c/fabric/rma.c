/*
 * write and read: RMA operations on a target's region, --window of them under way; with a window of 1 the time of one is its
 * latency. Each has a completion, when the target's memory has what was written: taken in batches, or one at a time with
 * --usual. (The tcp provider of 1.17 neither counts writes that complete so nor completes what is injected.)
 */
#include "twin.h"

struct rma {
	struct region region;
	uint8_t *buffer;
	size_t bytes, slots, slot;
	uint64_t issued, completed;
	int is_write;
};

static struct rma rma;

static ssize_t try_one(struct fabric *fabric, uint8_t *local, uint64_t remote)
{
	if (rma.is_write)
		return fi_write(fabric->endpoint, local, rma.bytes, NULL, fabric->peer, remote, rma.region.key, NULL);
	return fi_read(fabric->endpoint, local, rma.bytes, NULL, fabric->peer, remote, rma.region.key, NULL);
}

static void issue(struct fabric *fabric)
{
	size_t offset = rma.slot * rma.bytes;
	ssize_t status;

	while ((status = try_one(fabric, rma.buffer + offset, rma.region.address + offset)) == -FI_EAGAIN)
		progress(fabric);
	require(status, "fi_write or fi_read");
	rma.slot = rma.slot + 1 == rma.slots ? 0 : rma.slot + 1;
	rma.issued++;
}

static void take_done(struct fabric *fabric)
{
	struct fi_cq_data_entry entries[BATCH];

	rma.completed += await(fabric, fabric->sends, entries, fabric->options->is_usual ? 1 : BATCH);
}

static uint64_t rma_slice(struct fabric *fabric, uint64_t ns, uint64_t most)
{
	uint64_t end = now_ns() + ns, before = rma.completed, window = fabric->options->window;
	uint64_t last = most < UINT64_MAX ? rma.issued + most : UINT64_MAX;

	for (uint64_t turns = 1; rma.completed < last; turns++) {
		for (int i = 0; i < BATCH && rma.issued - rma.completed < window && rma.issued < last; i++)
			issue(fabric);
		take_done(fabric);
		if (turns % TURNS == 0 && now_ns() >= end)
			break;
	}
	while (rma.completed < rma.issued) /* So that the next slice has none of this one's. */
		take_done(fabric);
	return rma.completed - before;
}

int run_rma(const struct options *options)
{
	struct purpose purpose = {.is_delivered = 1};
	struct fabric fabric;

	rma.is_write = options->role[0] == 'w';
	rma.bytes = options->sizes[0];
	open_region_messages(&fabric, options, &purpose);
	rma.region = receive_region(&fabric);
	if (rma.bytes == 0 || rma.bytes > rma.region.length)
		refuse("not a size for this region: size=%zu, region=%zu; give 1 to the region's", rma.bytes,
		       (size_t)rma.region.length);
	rma.slots = rma.region.length / rma.bytes < options->window ? rma.region.length / rma.bytes : options->window;
	rma.buffer = memory_of(rma.bytes * rma.slots);
	run_slices(&fabric, rma_slice, rma.bytes);
	ask_checksum(&fabric, rma.issued);
	close_fabric(&fabric);
	return 0;
}
