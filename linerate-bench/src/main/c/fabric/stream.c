/*
 * source and sink: messages in one direction, as many as there are buffers for; both: the same in two directions at once.
 *
 * Credits. A receiver posts WINDOW + SPARE receives, and WINDOW messages may be under way. When it has taken a part of the
 * window and posted its buffers again, it sends a message without bytes whose remote CQ data is how many messages may have
 * been sent in total. A sender stops there, so that it never finds the peer without a posted buffer; SPARE buffers are for
 * the credits of the other direction, of which at most PARTS + 1 are under way. That the peer has taken a message also says
 * that its buffer is free, so that the sender needs no completions of its own.
 */
#include "twin.h"

#define PARTS 4
#define SPARE (2 * PARTS + 2)
#define LEAST_BYTES 256

struct stream {
	uint8_t *out, *in;
	size_t bytes, room, window, part;
	uint64_t sent, may_send;     /* as a sender */
	uint64_t taken, next_credit; /* as a receiver */
	uint64_t expected; /* that the peer says to have sent, when it has ended */
	int ends;
};

static struct stream stream;

static void post_in(struct fabric *fabric, void *buffer)
{
	post_receive(fabric, buffer, stream.room, buffer);
}

static void open_stream(struct fabric *fabric, const struct options *options)
{
	struct purpose purpose = {0};

	stream.bytes = options->sizes[0];
	stream.window = options->window;
	stream.part = stream.window / PARTS > 0 ? stream.window / PARTS : 1;
	stream.room = stream.bytes < LEAST_BYTES ? LEAST_BYTES : (stream.bytes + CACHE_LINE - 1) & -(size_t)CACHE_LINE;
	stream.in = memory_of(stream.room * (stream.window + SPARE));
	stream.out = memory_of(stream.room * stream.window);
	stream.may_send = stream.window;
	stream.next_credit = stream.part;
	open_fabric(fabric, options, &purpose);
	for (size_t i = 0; i < stream.window + SPARE; i++)
		post_in(fabric, stream.in + i * stream.room);
	let_client_in(fabric);
	meet(fabric, stream.in, stream.room, stream.in);
}

static void send_next(struct fabric *fabric)
{
	struct fi_cq_data_entry entry;

	post_send(fabric, stream.out + stream.sent % stream.window * stream.room, stream.bytes);
	stream.sent++;
	if (fabric->options->is_usual)
		await(fabric, fabric->sends, &entry, 1);
}

static void take(struct fabric *fabric, const struct fi_cq_data_entry *entry)
{
	post_in(fabric, entry->op_context);
	if (!(entry->flags & FI_REMOTE_CQ_DATA)) {
		stream.taken++;
		return;
	}
	if (!(entry->data & END_OF_RUN)) {
		stream.may_send = entry->data;
	} else if (stream.ends++ == 0) {
		stream.expected = entry->data & ~END_OF_RUN;
	}
}

/* Tells the peer of buffers that are posted again, each time a part of the window is. */
static void give_credit(struct fabric *fabric)
{
	if (stream.taken >= stream.next_credit) {
		send_control(fabric, stream.taken + stream.window);
		stream.next_credit = (stream.taken / stream.part + 1) * stream.part;
	}
}

static void take_all(struct fabric *fabric, int is_waiting)
{
	struct fi_cq_data_entry entries[BATCH];
	int most = fabric->options->is_usual ? 1 : BATCH;
	int read = is_waiting ? await(fabric, fabric->receives, entries, most)
	                     : poll_queue(fabric, fabric->receives, entries, most);

	for (int i = 0; i < read; i++)
		take(fabric, &entries[i]);
	give_credit(fabric);
}

/* Messages that the peer is known to have taken, and those that came from it. */
static uint64_t done(void)
{
	return stream.may_send - stream.window + stream.taken;
}

/* Without an end in messages it keeps the window full until the time is over. */
static uint64_t source_slice(struct fabric *fabric, uint64_t ns, uint64_t most)
{
	uint64_t end = now_ns() + ns, before = done(), last = UINT64_MAX;

	if (most < UINT64_MAX) {
		most = (most + stream.part - 1) / stream.part * stream.part; /* Credits come for whole parts. */
		last = stream.sent / stream.part * stream.part + most;
	}
	for (uint64_t turns = 1; done() - before < most; turns++) {
		uint64_t to = stream.may_send < last ? stream.may_send : last;

		for (int i = 0; i < BATCH && stream.sent < to; i++)
			send_next(fabric);
		take_all(fabric, stream.sent >= to);
		if (turns % TURNS == 0 && now_ns() >= end)
			break;
	}
	return done() - before;
}

static void serve(struct fabric *fabric, int is_sending)
{
	while (stream.ends == 0) {
		int sent = 0;

		for (; is_sending && sent < BATCH && stream.sent < stream.may_send; sent++)
			send_next(fabric);
		take_all(fabric, !is_sending || stream.sent == stream.may_send);
	}
}

/* Messages under way may come after the word that there are no more, where the peer fetches long ones itself. */
static void take_rest(struct fabric *fabric)
{
	while (stream.ends == 0 || stream.taken < stream.expected)
		take_all(fabric, 1);
}

static void end_stream(struct fabric *fabric)
{
	if (is_server(fabric->options)) {
		take_rest(fabric);
		send_control(fabric, END_OF_RUN | stream.sent);
		while (stream.ends < 2)
			take_all(fabric, 1);
	} else {
		send_control(fabric, END_OF_RUN | stream.sent);
		take_rest(fabric);
		send_last_end(fabric);
	}
}

int run_stream(const struct options *options)
{
	struct fabric fabric;
	int is_both = options->role[0] == 'b';

	open_stream(&fabric, options);
	if (is_server(options))
		serve(&fabric, is_both);
	else
		run_slices(&fabric, source_slice, stream.bytes);
	end_stream(&fabric);
	close_fabric(&fabric);
	return 0;
}
