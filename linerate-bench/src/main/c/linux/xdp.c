/*
 * AF_XDP in C with libxdp's helpers, as xdp: ports do it: one packet memory for both sockets, from which frames are sent
 * where they were received.
 *
 *   linux-xdp CPU BURST IN [OUT]     without OUT, packets are dropped
 */
#include "twin.h"

#include <errno.h>
#include <linux/if_link.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <xdp/xsk.h>

#define CHUNKS 16384u
#define CHUNK_BYTES 2048u
#define SLOTS 1024u
#define MAX_BURST 512u

#ifndef XDP_MAX_TX_SKB_BUDGET
#define XDP_MAX_TX_SKB_BUDGET 9
#endif

struct end {
	struct xsk_socket *socket;
	struct xsk_ring_prod fill;
	struct xsk_ring_cons completion;
	struct xsk_ring_cons rx;
	struct xsk_ring_prod tx;
};

struct mover {
	unsigned int burst;
	bool forwards;
	struct xsk_umem *umem;
	struct end in;
	struct end out;
};

static void check(int result, const char *what)
{
	if (result != 0) {
		errno = -result;
		twin_fail(what);
	}
}

static void open_end(struct mover *mover, struct end *end, const char *name)
{
	struct xsk_socket_config config = {
		.rx_size = SLOTS,
		.tx_size = SLOTS,
		.xdp_flags = XDP_FLAGS_DRV_MODE,
		.bind_flags = XDP_USE_NEED_WAKEUP | XDP_COPY,
	};
	int budget = SLOTS;

	check(xsk_socket__create_shared(&end->socket, name, 0, mover->umem, &end->rx, &end->tx, &end->fill, &end->completion,
					&config),
	      name);
	/* Without this, 32 frames are sent in one call at most; older kernels do not know it. */
	setsockopt(xsk_socket__fd(end->socket), SOL_XDP, XDP_MAX_TX_SKB_BUDGET, &budget, sizeof(budget));
}

static void fill(struct mover *mover, uint64_t first, uint32_t count)
{
	uint32_t index;
	if (xsk_ring_prod__reserve(&mover->in.fill, count, &index) != count)
		twin_fail("xsk_ring_prod__reserve");
	for (uint32_t i = 0; i < count; i++)
		*xsk_ring_prod__fill_addr(&mover->in.fill, index + i) = (first + i) * CHUNK_BYTES;
	xsk_ring_prod__submit(&mover->in.fill, count);
}

/* The fill ring has as many slots as there are chunks in use: there is always room. */
static void refill(struct mover *mover, const uint64_t *addresses, uint32_t count)
{
	uint32_t index;
	while (xsk_ring_prod__reserve(&mover->in.fill, count, &index) != count)
		;
	for (uint32_t i = 0; i < count; i++)
		*xsk_ring_prod__fill_addr(&mover->in.fill, index + i) = addresses[i];
	xsk_ring_prod__submit(&mover->in.fill, count);
}

static void complete(struct mover *mover)
{
	uint64_t addresses[MAX_BURST];
	uint32_t index;
	uint32_t count = xsk_ring_cons__peek(&mover->out.completion, MAX_BURST, &index);
	if (count == 0)
		return;
	for (uint32_t i = 0; i < count; i++)
		addresses[i] = *xsk_ring_cons__comp_addr(&mover->out.completion, index + i) & ~(uint64_t)(CHUNK_BYTES - 1);
	xsk_ring_cons__release(&mover->out.completion, count);
	refill(mover, addresses, count);
}

static void kick(struct mover *mover)
{
	if (xsk_ring_prod__needs_wakeup(&mover->out.tx))
		sendto(xsk_socket__fd(mover->out.socket), NULL, 0, MSG_DONTWAIT, NULL, 0);
}

static void forward(struct mover *mover, uint32_t from, uint32_t count)
{
	uint32_t to;
	while (xsk_ring_prod__reserve(&mover->out.tx, count, &to) != count) {
		kick(mover);
		complete(mover);
	}
	for (uint32_t i = 0; i < count; i++)
		*xsk_ring_prod__tx_desc(&mover->out.tx, to + i) = *xsk_ring_cons__rx_desc(&mover->in.rx, from + i);
	xsk_ring_prod__submit(&mover->out.tx, count);
	kick(mover);
	complete(mover);
	twin_counters.sent += count;
}

static void drop(struct mover *mover, uint32_t from, uint32_t count)
{
	uint64_t addresses[MAX_BURST];
	for (uint32_t i = 0; i < count; i++)
		addresses[i] = xsk_ring_cons__rx_desc(&mover->in.rx, from + i)->addr & ~(uint64_t)(CHUNK_BYTES - 1);
	refill(mover, addresses, count);
}

static void *work(void *argument)
{
	struct mover *mover = argument;

	while (!twin_stop) {
		uint32_t index;
		uint32_t count = xsk_ring_cons__peek(&mover->in.rx, mover->burst, &index);
		if (count == 0) {
			if (xsk_ring_prod__needs_wakeup(&mover->in.fill))
				recvfrom(xsk_socket__fd(mover->in.socket), NULL, 0, MSG_DONTWAIT, NULL, NULL);
			continue;
		}
		if (mover->forwards)
			forward(mover, index, count);
		else
			drop(mover, index, count);
		xsk_ring_cons__release(&mover->in.rx, count);
		twin_counters.received += count;
	}
	return NULL;
}

int main(int argc, char **argv)
{
	static struct mover mover;
	struct xsk_umem_config config = {
		.fill_size = 2 * SLOTS,
		.comp_size = SLOTS,
		.frame_size = CHUNK_BYTES,
	};

	if (argc < 4 || atoi(argv[2]) < 1 || atoi(argv[2]) > (int)MAX_BURST) {
		fprintf(stderr, "usage: linux-xdp CPU BURST IN [OUT], BURST 1 to 512\n");
		return 1;
	}
	mover.burst = (unsigned int)atoi(argv[2]);
	mover.forwards = argc > 4;
	uint64_t bytes = (uint64_t)CHUNKS * CHUNK_BYTES;
	void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
	if (memory == MAP_FAILED)
		twin_fail("mmap");
	check(xsk_umem__create(&mover.umem, memory, bytes, &mover.in.fill, &mover.in.completion, &config),
	      "xsk_umem__create");
	open_end(&mover, &mover.in, argv[3]);
	if (mover.forwards)
		open_end(&mover, &mover.out, argv[4]);
	fill(&mover, 0, 2 * SLOTS);
	int status = twin_serve(atoi(argv[1]), work, &mover);
	/* Takes the programs off the interfaces. */
	xsk_socket__delete(mover.in.socket);
	if (mover.forwards)
		xsk_socket__delete(mover.out.socket);
	xsk_umem__delete(mover.umem);
	return status;
}
