/*
 * AF_PACKET in C, as packet: ports do it: TPACKET_V3 blocks that packets are read from where they lie, sent on from there
 * with sendmmsg, and given back when all of them have left.
 *
 *   linux-packet CPU BURST IN [OUT]     without OUT, packets are dropped
 */
#define _GNU_SOURCE
#include "twin.h"

#include <arpa/inet.h>
#include <errno.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <linux/virtio_net.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>

#define BLOCK_BYTES (128u << 10)
#define BLOCKS 128u
#define FRAME_BYTES 2048u
#define RESERVE_BYTES 48
#define BATCH 64
#define MAX_BURST 512

struct mover {
	int in;
	int out;
	unsigned int burst;
	uint8_t *ring;
	struct mmsghdr messages[BATCH];
	struct iovec iovecs[BATCH];
	unsigned int batched;
};

static void set(int socket, int option, const void *value, socklen_t bytes, const char *name)
{
	if (setsockopt(socket, SOL_PACKET, option, value, bytes) < 0)
		twin_fail(name);
}

static void set_int(int socket, int option, int value, const char *name)
{
	set(socket, option, &value, sizeof(value), name);
}

static int open_socket(const char *name, int protocol, bool promiscuous)
{
	int fd = socket(AF_PACKET, SOCK_RAW, 0);
	struct sockaddr_ll address = {.sll_family = AF_PACKET, .sll_protocol = htons((uint16_t)protocol)};

	address.sll_ifindex = (int)if_nametoindex(name);
	if (fd < 0 || address.sll_ifindex == 0)
		twin_fail(name);
	if (promiscuous) {
		struct packet_mreq request = {.mr_ifindex = address.sll_ifindex, .mr_type = PACKET_MR_PROMISC};
		struct tpacket_req3 ring = {
			.tp_block_size = BLOCK_BYTES,
			.tp_block_nr = BLOCKS,
			.tp_frame_size = FRAME_BYTES,
			.tp_frame_nr = BLOCK_BYTES / FRAME_BYTES * BLOCKS,
			.tp_retire_blk_tov = 1,
		};
		set_int(fd, PACKET_VERSION, TPACKET_V3, "PACKET_VERSION");
		set_int(fd, PACKET_VNET_HDR, 1, "PACKET_VNET_HDR");
		set_int(fd, PACKET_RESERVE, RESERVE_BYTES, "PACKET_RESERVE");
		set_int(fd, PACKET_IGNORE_OUTGOING, 1, "PACKET_IGNORE_OUTGOING");
		set(fd, PACKET_RX_RING, &ring, sizeof(ring), "PACKET_RX_RING");
		set(fd, PACKET_ADD_MEMBERSHIP, &request, sizeof(request), "PACKET_ADD_MEMBERSHIP");
	}
	if (bind(fd, (struct sockaddr *)&address, sizeof(address)) < 0)
		twin_fail("bind");
	return fd;
}

static void flush(struct mover *mover)
{
	unsigned int done = 0;
	while (done < mover->batched) {
		int sent = sendmmsg(mover->out, mover->messages + done, mover->batched - done, MSG_DONTWAIT);
		if (sent > 0)
			done += (unsigned int)sent;
		else if (errno != EAGAIN && errno != ENOBUFS && errno != EINTR)
			twin_fail("sendmmsg");
	}
	twin_counters.sent += done;
	mover->batched = 0;
}

/* What a receiver must look at: whether the packet is whole, and whether its checksum or its tag is missing. */
static bool is_plain(const struct tpacket3_hdr *packet)
{
	const struct virtio_net_hdr *vnet =
		(const void *)((const uint8_t *)packet + packet->tp_mac - sizeof(struct virtio_net_hdr));
	return packet->tp_len == packet->tp_snaplen && vnet->gso_type == 0 &&
	       (packet->tp_status & (TP_STATUS_CSUMNOTREADY | TP_STATUS_VLAN_VALID)) == 0;
}

/* One burst of a block; returns where the next one begins. */
static struct tpacket3_hdr *move(struct mover *mover, struct tpacket3_hdr *packet, unsigned int count)
{
	unsigned int plain = 0;
	for (unsigned int i = 0; i < count; i++) {
		if (is_plain(packet)) {
			plain++;
			if (mover->out >= 0) {
				mover->iovecs[mover->batched].iov_base = (uint8_t *)packet + packet->tp_mac;
				mover->iovecs[mover->batched].iov_len = packet->tp_snaplen;
				if (++mover->batched == BATCH)
					flush(mover);
			}
		}
		packet = (void *)((uint8_t *)packet + packet->tp_next_offset);
	}
	twin_counters.received += plain;
	return packet;
}

static void *work(void *argument)
{
	struct mover *mover = argument;
	unsigned int index = 0;

	while (!twin_stop) {
		struct tpacket_block_desc *block = (void *)(mover->ring + (size_t)index * BLOCK_BYTES);
		if ((__atomic_load_n(&block->hdr.bh1.block_status, __ATOMIC_ACQUIRE) & TP_STATUS_USER) == 0) {
			flush(mover);
			continue;
		}
		unsigned int left = block->hdr.bh1.num_pkts;
		struct tpacket3_hdr *packet = (void *)((uint8_t *)block + block->hdr.bh1.offset_to_first_pkt);
		while (left > 0) {
			unsigned int count = left < mover->burst ? left : mover->burst;
			packet = move(mover, packet, count);
			left -= count;
		}
		flush(mover);
		__atomic_store_n(&block->hdr.bh1.block_status, TP_STATUS_KERNEL, __ATOMIC_RELEASE);
		index = (index + 1) % BLOCKS;
	}
	return NULL;
}

int main(int argc, char **argv)
{
	static struct mover mover;

	if (argc < 4) {
		fprintf(stderr, "usage: linux-packet CPU BURST IN [OUT]\n");
		return 1;
	}
	mover.burst = (unsigned int)atoi(argv[2]);
	mover.in = open_socket(argv[3], ETH_P_ALL, true);
	mover.out = argc > 4 ? open_socket(argv[4], 0, false) : -1;
	for (int i = 0; i < BATCH; i++) {
		mover.messages[i].msg_hdr.msg_iov = &mover.iovecs[i];
		mover.messages[i].msg_hdr.msg_iovlen = 1;
	}
	mover.ring = mmap(NULL, (size_t)BLOCKS * BLOCK_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, mover.in, 0);
	if (mover.ring == MAP_FAILED)
		twin_fail("mmap");
	return twin_serve(atoi(argv[1]), work, &mover);
}
