/* rma: writes, reads and adds at places of a target's region, beside a model of it in own memory, and compares. */
#include "twin.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct verified {
	struct region region;
	uint8_t *model, *buffer;
	uint64_t operations;
	int has_atomics;
};

static struct verified verified;

/* Waits until all that has been posted is done, which is one operation. */
static void finish(struct fabric *fabric, ssize_t status, const char *call)
{
	struct fi_cq_data_entry entry;

	require(status, call);
	await(fabric, fabric->sends, &entry, 1);
	verified.operations++;
}

static uint64_t offset_of(const struct options *options, size_t bytes, size_t step)
{
	uint8_t word[8];
	uint64_t places = (verified.region.length - bytes) / step + 1;

	fill_pattern(word, sizeof(word), ~options->seed, verified.operations);
	return get_u64(word) % places * step;
}

static void write_some(struct fabric *fabric, size_t bytes)
{
	uint64_t at = offset_of(fabric->options, bytes, 1);
	struct iovec local = {verified.buffer, bytes};
	struct fi_rma_iov remote = {verified.region.address + at, bytes, verified.region.key};
	struct fi_msg_rma message = {.msg_iov = &local, .iov_count = 1, .addr = fabric->peer, .rma_iov = &remote,
	                             .rma_iov_count = 1};
	ssize_t status;

	fill_pattern(verified.buffer, bytes, fabric->options->seed, verified.operations + 1);
	memcpy(verified.model + at, verified.buffer, bytes);
	while ((status = fi_writemsg(fabric->endpoint, &message, FI_COMPLETION | FI_DELIVERY_COMPLETE)) == -FI_EAGAIN)
		progress(fabric);
	finish(fabric, status, "fi_writemsg");
}

static void read_some(struct fabric *fabric, size_t bytes)
{
	uint64_t at = offset_of(fabric->options, bytes, 1);
	struct iovec local = {verified.buffer, bytes};
	struct fi_rma_iov remote = {verified.region.address + at, bytes, verified.region.key};
	struct fi_msg_rma message = {.msg_iov = &local, .iov_count = 1, .addr = fabric->peer, .rma_iov = &remote,
	                             .rma_iov_count = 1};
	ssize_t status;

	memset(verified.buffer, 0xA5, bytes);
	while ((status = fi_readmsg(fabric->endpoint, &message, FI_COMPLETION)) == -FI_EAGAIN)
		progress(fabric);
	finish(fabric, status, "fi_readmsg");
	if (memcmp(verified.buffer, verified.model + at, bytes) != 0)
		die("read differs: operation=%" PRIu64 ", offset=%" PRIu64 ", bytes=%zu", verified.operations, at, bytes);
}

static void add(struct fabric *fabric)
{
	uint64_t at = offset_of(fabric->options, 8, 8), addend = verified.operations * 0x100000001u, before = 0, expected;
	struct fi_ioc local = {&addend, 1}, result = {&before, 1};
	struct fi_rma_ioc remote = {verified.region.address + at, 1, verified.region.key};
	struct fi_msg_atomic message = {.msg_iov = &local, .iov_count = 1, .addr = fabric->peer, .rma_iov = &remote,
	                                .rma_iov_count = 1, .datatype = FI_UINT64, .op = FI_SUM};
	ssize_t status;

	while ((status = fi_fetch_atomicmsg(fabric->endpoint, &message, &result, NULL, 1, FI_COMPLETION)) == -FI_EAGAIN)
		progress(fabric);
	finish(fabric, status, "fi_fetch_atomicmsg");
	memcpy(&expected, verified.model + at, 8);
	if (before != expected)
		die("fetched value differs: operation=%" PRIu64 ", offset=%" PRIu64 ", fetched=%" PRIx64 ", expected=%" PRIx64,
		    verified.operations, at, before, expected);
	expected += addend;
	memcpy(verified.model + at, &expected, 8);
}

int run_verified_rma(const struct options *options)
{
	struct purpose purpose = {0};
	struct fabric fabric;
	size_t most = 8;

	open_region_messages(&fabric, options, &purpose);
	verified.region = receive_region(&fabric);
	verified.has_atomics = (fabric.info->caps & FI_ATOMIC) != 0;
	for (int i = 0; i < options->size_count; i++)
		most = options->sizes[i] > most ? options->sizes[i] : most;
	if (most > verified.region.length)
		refuse("region too small: region=%zu, size=%zu; give smaller sizes", (size_t)verified.region.length, most);
	verified.model = memory_of(verified.region.length);
	verified.buffer = memory_of(most);
	fill_pattern(verified.model, verified.region.length, options->seed, 0);
	for (int i = 0; i < options->size_count; i++) {
		for (uint64_t n = 0; n < options->count; n++) {
			write_some(&fabric, options->sizes[i]);
			if (verified.has_atomics)
				add(&fabric);
			read_some(&fabric, options->sizes[i]);
		}
	}
	uint64_t own = checksum(verified.model, verified.region.length);
	uint64_t theirs = ask_checksum(&fabric, verified.operations);

	if (own != theirs)
		die("regions differ: own=%016" PRIx64 ", target=%016" PRIx64, own, theirs);
	printf("{\"role\":\"rma\",\"provider\":\"%s\",\"operations\":%" PRIu64 ",\"atomics\":%s,\"checksum\":\"%016" PRIx64
	       "\"}\n", options->provider, verified.operations, verified.has_atomics ? "true" : "false", own);
	close_fabric(&fabric);
	return 0;
}
