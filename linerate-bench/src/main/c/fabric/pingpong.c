/* ping and pong: one message at a time, there and back. */
#include "twin.h"

/* How many round trips pass before the clock is asked. */
#define TRIPS 16

/* Room for the address that a client sends first. */
#define LEAST_BYTES 256

struct pingpong {
	uint8_t *out, *in;
	size_t bytes, room;
	void *taken; /* a buffer that is posted again while the next message is under way */
};

static struct pingpong pingpong;

static void open_pingpong(struct fabric *fabric, const struct options *options)
{
	struct purpose purpose = {0};
	size_t window = options->window;

	pingpong.bytes = options->sizes[0];
	pingpong.room = pingpong.bytes < LEAST_BYTES ? LEAST_BYTES : (pingpong.bytes + CACHE_LINE - 1) & -(size_t)CACHE_LINE;
	pingpong.in = memory_of(pingpong.room * window);
	pingpong.out = memory_of(pingpong.room);
	open_fabric(fabric, options, &purpose);
	for (size_t i = 0; i < window; i++)
		post_receive(fabric, pingpong.in + i * pingpong.room, pingpong.room, pingpong.in + i * pingpong.room);
	let_client_in(fabric);
	meet(fabric, pingpong.in, pingpong.room, pingpong.in);
}

static void send_one(struct fabric *fabric)
{
	struct fi_cq_data_entry entry;

	post_send(fabric, pingpong.out, pingpong.bytes);
	if (fabric->options->is_usual)
		await(fabric, fabric->sends, &entry, 1);
}

static uint64_t ping_slice(struct fabric *fabric, uint64_t ns, uint64_t most)
{
	uint64_t end = now_ns() + ns, trips = 0;
	struct fi_cq_data_entry entry;

	do {
		for (int i = 0; i < TRIPS; i++) {
			send_one(fabric);
			if (pingpong.taken != NULL)
				post_receive(fabric, pingpong.taken, pingpong.room, pingpong.taken);
			await(fabric, fabric->receives, &entry, 1);
			pingpong.taken = entry.op_context;
		}
		trips += TRIPS;
	} while (2 * trips < most && now_ns() < end);
	return 2 * trips;
}

/* An operation is a message, of which a round trip has two. */
int run_ping(const struct options *options)
{
	struct fabric fabric;

	open_pingpong(&fabric, options);
	run_slices(&fabric, ping_slice, pingpong.bytes);
	end_run(&fabric);
	close_fabric(&fabric);
	return 0;
}

int run_pong(const struct options *options)
{
	struct fabric fabric;
	struct fi_cq_data_entry entries[BATCH];
	int most = options->is_usual ? 1 : BATCH;

	open_pingpong(&fabric, options);
	for (;;) {
		int read = await(&fabric, fabric.receives, entries, most);

		for (int i = 0; i < read; i++) {
			if (entries[i].flags & FI_REMOTE_CQ_DATA) {
				end_run(&fabric);
				close_fabric(&fabric);
				return 0;
			}
			send_one(&fabric);
			post_receive(&fabric, entries[i].op_context, pingpong.room, entries[i].op_context);
		}
	}
}
