/* target: a region that clients read and write, and what both sides say about it. */
#include "twin.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define MESSAGE_BYTES 256
#define RECEIVES 4

/* Only these providers of 1.17 have remote atomic operations. */
uint64_t region_caps(const struct options *options)
{
	int has_atomics = strcmp(options->provider, "shm") == 0 || strcmp(options->provider, "tcp;ofi_rxm") == 0;

	if (strcmp(options->provider, "udp;ofi_rxd") == 0)
		refuse("no RMA: provider=udp;ofi_rxd, whose endpoints cannot be closed after it; take another provider");
	return FI_RMA | (has_atomics ? FI_ATOMIC : 0);
}

/* Opens an endpoint with receives for messages about a region; both sides have met then. */
void open_region_messages(struct fabric *fabric, const struct options *options, struct purpose *purpose)
{
	uint8_t *in = memory_of(MESSAGE_BYTES * RECEIVES);

	purpose->caps = region_caps(options);
	purpose->has_two_queues = 1;
	open_fabric(fabric, options, purpose);
	for (int i = 0; i < RECEIVES; i++)
		post_receive(fabric, in + i * MESSAGE_BYTES, MESSAGE_BYTES, in + i * MESSAGE_BYTES);
	let_client_in(fabric);
	meet(fabric, in, MESSAGE_BYTES, in);
}

static const uint8_t *receive_exactly(struct fabric *fabric, size_t bytes)
{
	struct fi_cq_data_entry entry;

	await(fabric, fabric->receives, &entry, 1);
	if (entry.len != bytes)
		die("not the message that was due: bytes=%zu, due=%zu", entry.len, bytes);
	return entry.op_context;
}

/* A client's: what the target has said about its region. */
struct region receive_region(struct fabric *fabric)
{
	const uint8_t *welcome = receive_exactly(fabric, 24);

	return (struct region){get_u64(welcome), get_u64(welcome + 8), get_u64(welcome + 16)};
}

/* A client's: says how many operations it has done; the checksum of the region. */
uint64_t ask_checksum(struct fabric *fabric, uint64_t operations)
{
	static uint8_t count[END_BYTES];

	put_u64(count, operations);
	send_whole(fabric, count, sizeof(count));
	return get_u64(receive_exactly(fabric, END_BYTES));
}

static void welcome(struct fabric *fabric, const uint8_t *memory, struct fid_mr *mr, size_t bytes)
{
	static uint8_t message[24];
	int is_virtual = fabric->info->domain_attr->mr_mode & FI_MR_VIRT_ADDR;

	put_u64(message, is_virtual ? (uintptr_t)memory : 0);
	put_u64(message + 8, fi_mr_key(mr));
	put_u64(message + 16, bytes);
	send_whole(fabric, message, sizeof(message));
}

int run_target(const struct options *options)
{
	static uint8_t answer[END_BYTES];
	struct purpose purpose = {0};
	struct fabric fabric;
	struct fid_mr *mr;
	size_t bytes = options->sizes[0];
	uint8_t *memory = memory_of(bytes);

	fill_pattern(memory, bytes, options->seed, 0);
	open_region_messages(&fabric, options, &purpose);
	require(fi_mr_reg(fabric.domain, memory, bytes, FI_REMOTE_READ | FI_REMOTE_WRITE, 0, 1, 0, &mr, NULL), "fi_mr_reg");
	welcome(&fabric, memory, mr, bytes);
	uint64_t operations = get_u64(receive_exactly(&fabric, END_BYTES));
	uint64_t sum = checksum(memory, bytes);

	put_u64(answer, sum);
	send_whole(&fabric, answer, sizeof(answer));
	printf("{\"role\":\"target\",\"provider\":\"%s\",\"bytes\":%zu,\"operations\":%" PRIu64 ",\"checksum\":\"%016" PRIx64
	       "\"}\n", options->provider, bytes, operations, sum);
	require(fi_close(&mr->fid), "fi_close of the region");
	close_fabric(&fabric);
	return 0;
}
