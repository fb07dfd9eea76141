/* Posting operations: each is tried again, with the provider at work in between, while its queue is full. */
#include "twin.h"

void post_receive(struct fabric *fabric, void *buffer, size_t bytes, void *context)
{
	ssize_t status;

	while ((status = fi_recv(fabric->endpoint, buffer, bytes, NULL, FI_ADDR_UNSPEC, context)) == -FI_EAGAIN)
		progress(fabric);
	require(status, "fi_recv");
}

/* Sends without a completion: its buffer is free when the peer has answered. With --usual, there is one. */
void post_send(struct fabric *fabric, const void *buffer, size_t bytes)
{
	ssize_t status;

	if ((ssize_t)bytes <= fabric->inject_bytes) {
		while ((status = fi_inject(fabric->endpoint, buffer, bytes, fabric->peer)) == -FI_EAGAIN)
			progress(fabric);
	} else {
		while ((status = fi_send(fabric->endpoint, buffer, bytes, NULL, fabric->peer, NULL)) == -FI_EAGAIN)
			progress(fabric);
	}
	require(status, "fi_send");
}

/* Sends a message without bytes and with remote CQ data, which tells it from all others. */
void send_control(struct fabric *fabric, uint64_t data)
{
	static uint8_t none;
	ssize_t status;

	while ((status = fi_injectdata(fabric->endpoint, &none, 0, data, fabric->peer)) == -FI_EAGAIN)
		progress(fabric);
	require(status, "fi_injectdata");
}

/* Sends, and waits until the buffer may be used again. */
void send_whole(struct fabric *fabric, const void *buffer, size_t bytes)
{
	struct iovec vector = {(void *)buffer, bytes};
	struct fi_msg message = {.msg_iov = &vector, .iov_count = 1, .addr = fabric->peer};
	struct fi_cq_data_entry entry;
	ssize_t status;

	while ((status = fi_sendmsg(fabric->endpoint, &message, FI_COMPLETION)) == -FI_EAGAIN)
		progress(fabric);
	require(status, "fi_sendmsg");
	await(fabric, fabric->sends, &entry, 1);
}

/* Sends a control message, and waits until it is out. */
static void send_control_whole(struct fabric *fabric, uint64_t data)
{
	static uint8_t none;
	struct iovec vector = {&none, 0};
	struct fi_msg message = {.msg_iov = &vector, .iov_count = 1, .addr = fabric->peer, .data = data};
	struct fi_cq_data_entry entry;
	ssize_t status;

	while ((status = fi_sendmsg(fabric->endpoint, &message, FI_COMPLETION | FI_REMOTE_CQ_DATA)) == -FI_EAGAIN)
		progress(fabric);
	require(status, "fi_sendmsg");
	do
		await(fabric, fabric->sends, &entry, 1);
	while (!(entry.flags & FI_SEND));
}

static void await_end(struct fabric *fabric)
{
	struct fi_cq_data_entry entry;

	do
		await(fabric, fabric->receives, &entry, 1);
	while (!(entry.flags & FI_REMOTE_CQ_DATA) || !(entry.data & END_OF_RUN));
}

/* The third and last word, a client's: the server has nothing under way any more. */
void send_last_end(struct fabric *fabric)
{
	send_control_whole(fabric, END_OF_RUN);
}

/* Ends where nothing is under way: the client says so, the server does, and the client again. */
void end_run(struct fabric *fabric)
{
	send_control(fabric, END_OF_RUN);
	await_end(fabric);
	if (!is_server(fabric->options))
		send_last_end(fabric);
}
