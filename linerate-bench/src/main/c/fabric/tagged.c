/* tagged: as echo, but four messages at a time, whose receives a server has posted in the other order, by their tags. */
#include "twin.h"

#include <inttypes.h>

#define GROUP 4
#define LEAST_BYTES 256
#define REPLY ((uint64_t)1 << 32)

struct tagged {
	uint8_t *in[2], *out; /* a server answers one group from its memory while the next one comes */
	size_t room;
	uint64_t all, verified, bytes;
};

static struct tagged tagged;

static size_t size_of(const struct options *options, uint64_t number)
{
	return options->sizes[number / options->count];
}

static uint8_t *place(uint64_t number)
{
	return tagged.in[number / GROUP % 2] + number % GROUP * tagged.room;
}

static uint64_t end_of_group(uint64_t first)
{
	return first + GROUP < tagged.all ? first + GROUP : tagged.all;
}

static void post_tagged(struct fabric *fabric, uint64_t number, uint64_t tag)
{
	ssize_t status;

	while ((status = fi_trecv(fabric->endpoint, place(number), tagged.room, NULL, FI_ADDR_UNSPEC, tag, 0,
	                          (void *)(uintptr_t)number)) == -FI_EAGAIN)
		progress(fabric);
	require(status, "fi_trecv");
}

/* A server's receives of the group that begins with this number, the last one first. */
static void post_group(struct fabric *fabric, uint64_t first)
{
	for (uint64_t number = end_of_group(first); number-- > first;)
		post_tagged(fabric, number, number);
}

static void send_tagged(struct fabric *fabric, const uint8_t *from, uint64_t number, uint64_t tag)
{
	size_t bytes = size_of(fabric->options, number);
	struct fi_cq_data_entry entry;
	int is_injected = number % 2 == 0 && (ssize_t)bytes <= fabric->inject_bytes;
	ssize_t status;

	do {
		status = is_injected ? fi_tinject(fabric->endpoint, from, bytes, fabric->peer, tag)
		                     : fi_tsend(fabric->endpoint, from, bytes, NULL, fabric->peer, tag, NULL);
		if (status == -FI_EAGAIN)
			progress(fabric);
	} while (status == -FI_EAGAIN);
	require(status, "fi_tsend");
	if (fabric->options->is_usual)
		await(fabric, fabric->sends, &entry, 1);
}

static void receive_group(struct fabric *fabric, uint64_t first)
{
	struct fi_cq_data_entry entry;

	for (uint64_t i = first; i < end_of_group(first); i++) {
		await(fabric, fabric->receives, &entry, 1);
		uint64_t number = (uintptr_t)entry.op_context;

		if (number < first || number >= end_of_group(first))
			die("message out of its group: number=%" PRIu64 ", group=%" PRIu64, number, first);
		require_pattern(fabric->options, place(number), entry.len, size_of(fabric->options, number), number);
		tagged.verified++;
		tagged.bytes += entry.len;
	}
}

static void serve_group(struct fabric *fabric, uint64_t first)
{
	receive_group(fabric, first);
	if (end_of_group(first) < tagged.all)
		post_group(fabric, end_of_group(first));
	for (uint64_t number = end_of_group(first); number-- > first;)
		send_tagged(fabric, place(number), number, number | REPLY);
}

static void ask_group(struct fabric *fabric, uint64_t first)
{
	for (uint64_t number = first; number < end_of_group(first); number++)
		post_tagged(fabric, number, number | REPLY);
	for (uint64_t number = first; number < end_of_group(first); number++) {
		uint8_t *from = tagged.out + number % GROUP * tagged.room;

		fill_pattern(from, size_of(fabric->options, number), fabric->options->seed, number);
		send_tagged(fabric, from, number, number);
	}
	receive_group(fabric, first);
}

static void allocate(const struct options *options)
{
	tagged.all = options->count * options->size_count;
	tagged.room = LEAST_BYTES;
	for (int i = 0; i < options->size_count; i++)
		tagged.room = options->sizes[i] > tagged.room ? options->sizes[i] : tagged.room;
	tagged.in[0] = memory_of(tagged.room * GROUP);
	tagged.in[1] = memory_of(tagged.room * GROUP);
	tagged.out = memory_of(tagged.room * GROUP);
}

int run_tagged(const struct options *options)
{
	static uint8_t hello[2][LEAST_BYTES];
	struct purpose purpose = {.caps = FI_TAGGED, .has_two_queues = 1};
	struct fabric fabric;

	allocate(options);
	open_fabric(&fabric, options, &purpose);
	for (int i = 0; i < 2; i++)
		post_receive(&fabric, hello[i], LEAST_BYTES, hello[i]);
	if (is_server(options))
		post_group(&fabric, 0);
	let_client_in(&fabric);
	meet(&fabric, hello[0], LEAST_BYTES, hello[0]);
	for (uint64_t first = 0; first < tagged.all; first += GROUP) {
		if (is_server(options))
			serve_group(&fabric, first);
		else
			ask_group(&fabric, first);
	}
	exchange_counts(&fabric, tagged.verified);
	print_verified(options, tagged.verified, tagged.bytes);
	close_fabric(&fabric);
	return 0;
}
