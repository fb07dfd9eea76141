/* echo: messages of given sizes, verified by the server, returned, and verified by the client. */
#include "twin.h"

#include <inttypes.h>
#include <stdio.h>

#define LEAST_BYTES 256
#define RECEIVES 2

struct echo {
	uint8_t *in, *out;
	size_t room;
	uint64_t verified, bytes;
};

static struct echo echo;

static size_t most_bytes(const struct options *options)
{
	size_t most = LEAST_BYTES;

	for (int i = 0; i < options->size_count; i++)
		most = options->sizes[i] > most ? options->sizes[i] : most;
	return most;
}

void require_pattern(const struct options *options, const uint8_t *at, size_t bytes, size_t due, uint64_t number)
{
	if (bytes != due)
		die("message has another size: number=%" PRIu64 ", bytes=%zu, due=%zu; give both sides the same --size",
		    number, bytes, due);
	long offset = find_difference(at, bytes, options->seed, number);

	if (offset >= 0)
		die("message differs: number=%" PRIu64 ", bytes=%zu, offset=%ld; give both sides the same --seed", number,
		    bytes, offset);
}

/* Even ones as fast as can be, odd ones with a completion: both ways are tried. */
static void send_message(struct fabric *fabric, size_t bytes, uint64_t number)
{
	if (number % 2 == 0 && !fabric->options->is_usual)
		post_send(fabric, echo.out, bytes);
	else
		send_whole(fabric, echo.out, bytes);
}

static void receive_message(struct fabric *fabric, size_t due, uint64_t number)
{
	struct fi_cq_data_entry entry;

	await(fabric, fabric->receives, &entry, 1);
	require_pattern(fabric->options, entry.op_context, entry.len, due, number);
	echo.verified++;
	echo.bytes += due;
	post_receive(fabric, entry.op_context, echo.room, entry.op_context);
}

/* A buffer is written again only when the message after it has come: until then the provider may still read it. */
static void exchange(struct fabric *fabric, size_t bytes, uint64_t number)
{
	if (is_server(fabric->options))
		receive_message(fabric, bytes, number);
	fill_pattern(echo.out, bytes, fabric->options->seed, number);
	send_message(fabric, bytes, number);
	if (!is_server(fabric->options))
		receive_message(fabric, bytes, number);
}

/* Each side says how many messages were right, the client first. */
void exchange_counts(struct fabric *fabric, uint64_t own)
{
	static uint8_t count[END_BYTES];
	struct fi_cq_data_entry entry;

	put_u64(count, own);
	if (!is_server(fabric->options))
		send_whole(fabric, count, sizeof(count));
	await(fabric, fabric->receives, &entry, 1);
	if (entry.len != END_BYTES || get_u64(entry.op_context) != own)
		die("counts differ: own=%" PRIu64 ", bytes=%zu", own, entry.len);
	if (is_server(fabric->options))
		send_whole(fabric, count, sizeof(count));
}

void print_verified(const struct options *options, uint64_t messages, uint64_t bytes)
{
	printf("{\"role\":\"%s\",\"provider\":\"%s\",\"messages\":%" PRIu64 ",\"bytes\":%" PRIu64 ",\"verified\":true}\n",
	       options->role, options->provider, messages, bytes);
}

int run_echo(const struct options *options)
{
	struct purpose purpose = {.has_two_queues = 1};
	struct fabric fabric;
	uint64_t number = 0;

	echo.room = most_bytes(options);
	echo.in = memory_of(echo.room * RECEIVES);
	echo.out = memory_of(echo.room);
	open_fabric(&fabric, options, &purpose);
	for (int i = 0; i < RECEIVES; i++)
		post_receive(&fabric, echo.in + i * echo.room, echo.room, echo.in + i * echo.room);
	let_client_in(&fabric);
	meet(&fabric, echo.in, echo.room, echo.in);
	for (int i = 0; i < options->size_count; i++)
		for (uint64_t n = 0; n < options->count; n++)
			exchange(&fabric, options->sizes[i], number++);
	exchange_counts(&fabric, echo.verified);
	print_verified(options, echo.verified, echo.bytes);
	close_fabric(&fabric);
	return 0;
}
