/*
 * Sends the same frames without end, as fast as one CPU can, until its standard input ends.
 *
 *   linux-flood CPU INTERFACE FRAME-BYTES
 */
#define _GNU_SOURCE
#include "twin.h"

#include <arpa/inet.h>
#include <errno.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#define BATCH 64
#define MAX_FRAME_BYTES 1518

static int fd;
static struct mmsghdr messages[BATCH];
static struct iovec iovecs[BATCH];
static uint8_t frames[BATCH][MAX_FRAME_BYTES];

/* Ethernet, IPv4 and UDP to a host that nobody is, each frame of another flow. */
static void write_frame(uint8_t *frame, int index, int bytes)
{
	static const uint8_t head[] = {2, 0, 0, 0, 0, 2, 2, 0, 0, 0, 0, 1, 8, 0, 0x45, 0};
	uint16_t length = htons((uint16_t)(bytes - 14));

	memcpy(frame, head, sizeof(head));
	memcpy(frame + 16, &length, 2);
	frame[22] = 64;
	frame[23] = 17;
	frame[26] = 10;
	frame[29] = (uint8_t)index;
	frame[30] = 10;
	frame[31] = 1;
	frame[33] = 1;
	frame[35] = (uint8_t)index;
	frame[37] = 9;
	length = htons((uint16_t)(bytes - 34));
	memcpy(frame + 38, &length, 2);
}

static void *work(void *argument)
{
	(void)argument;
	while (!twin_stop) {
		int sent = sendmmsg(fd, messages, BATCH, MSG_DONTWAIT);
		if (sent > 0)
			twin_counters.sent += (uint64_t)sent;
	}
	return NULL;
}

int main(int argc, char **argv)
{
	struct sockaddr_ll address = {.sll_family = AF_PACKET};

	if (argc < 4 || atoi(argv[3]) < 60 || atoi(argv[3]) > MAX_FRAME_BYTES) {
		fprintf(stderr, "usage: linux-flood CPU INTERFACE FRAME-BYTES, 60 to 1518\n");
		return 1;
	}
	fd = socket(AF_PACKET, SOCK_RAW, 0);
	address.sll_ifindex = (int)if_nametoindex(argv[2]);
	if (fd < 0 || address.sll_ifindex == 0 || bind(fd, (struct sockaddr *)&address, sizeof(address)) < 0)
		twin_fail(argv[2]);
	for (int i = 0; i < BATCH; i++) {
		write_frame(frames[i], i, atoi(argv[3]));
		iovecs[i] = (struct iovec){frames[i], (size_t)atoi(argv[3])};
		messages[i].msg_hdr.msg_iov = &iovecs[i];
		messages[i].msg_hdr.msg_iovlen = 1;
	}
	return twin_serve(atoi(argv[1]), work, NULL);
}
