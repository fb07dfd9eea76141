/*
 * Round trips of datagrams, one at a time. "linux-echo server PORT" sends back what it gets. "linux-echo client ADDRESS
 * PORT" says "ready" when the first one has come back, and then answers each line "measure COUNT" on standard input with
 * "MEDIAN 99TH LOST": two times in ns, and how many did not come back within a second.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <time.h>

#define MOST 1000000
#define BYTES 32

static void fail(const char *what)
{
	fprintf(stderr, "linux-echo: %s failed: text=%s\n", what, strerror(errno));
	exit(1);
}

static int open_socket(void)
{
	int fd = socket(AF_INET, SOCK_DGRAM, 0);

	if (fd < 0)
		fail("socket");
	return fd;
}

static void serve(int port)
{
	struct sockaddr_in own = {.sin_family = AF_INET, .sin_port = htons(port)};
	int fd = open_socket();
	char data[2048];

	if (bind(fd, (struct sockaddr *)&own, sizeof(own)) != 0)
		fail("bind");
	for (;;) {
		struct sockaddr_in from;
		socklen_t length = sizeof(from);
		ssize_t bytes = recvfrom(fd, data, sizeof(data), 0, (struct sockaddr *)&from, &length);
		if (bytes >= 0)
			sendto(fd, data, bytes, 0, (struct sockaddr *)&from, length);
	}
}

static uint64_t now_ns(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

/* In ns, or 0 if it does not come back. What is too late for one before is not taken for it. */
static uint64_t round_trip(int fd)
{
	static uint64_t number;
	uint64_t data[BYTES / sizeof(uint64_t)] = {++number};
	uint64_t start = now_ns();

	if (send(fd, data, sizeof(data), 0) < 0)
		return 0;
	do {
		if (recv(fd, data, sizeof(data), 0) < 0)
			return 0;
	} while (data[0] != number);
	return now_ns() - start;
}

static int compare(const void *one, const void *other)
{
	uint64_t left = *(const uint64_t *)one, right = *(const uint64_t *)other;

	return left < right ? -1 : left > right;
}

static void measure(int fd, int count)
{
	static uint64_t times[MOST];
	int back = 0, lost = 0;

	for (int i = 0; i < count && i < MOST; i++) {
		uint64_t ns = round_trip(fd);
		if (ns == 0)
			lost++;
		else
			times[back++] = ns;
	}
	qsort(times, back, sizeof(times[0]), compare);
	printf("%lu %lu %d\n", back == 0 ? 0 : times[back / 2], back == 0 ? 0 : times[back * 99L / 100], lost);
	fflush(stdout);
}

static int ask(const char *address, int port)
{
	struct sockaddr_in server = {.sin_family = AF_INET, .sin_port = htons(port)};
	struct timeval second = {.tv_sec = 1};
	int fd = open_socket();
	char line[64];
	int count;

	if (inet_pton(AF_INET, address, &server.sin_addr) != 1 ||
	    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &second, sizeof(second)) != 0 ||
	    connect(fd, (struct sockaddr *)&server, sizeof(server)) != 0)
		fail("connect");
	while (round_trip(fd) == 0) {
		struct timespec pause = {.tv_nsec = 50000000};
		nanosleep(&pause, NULL);
	}
	printf("ready\n");
	fflush(stdout);
	while (fgets(line, sizeof(line), stdin) != NULL)
		if (sscanf(line, "measure %d", &count) == 1 && count > 0)
			measure(fd, count);
	return 0;
}

int main(int argc, char **argv)
{
	if (argc == 3 && strcmp(argv[1], "server") == 0)
		serve(atoi(argv[2]));
	if (argc == 4 && strcmp(argv[1], "client") == 0)
		return ask(argv[2], atoi(argv[3]));
	fprintf(stderr, "linux-echo: wrong arguments; write server PORT or client ADDRESS PORT\n");
	return 2;
}
