#define _GNU_SOURCE
#include "twin.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct twin_counters twin_counters;
volatile bool twin_stop;

void twin_fail(const char *what)
{
	fprintf(stderr, "twin: %s failed: errno=%d, text=%s\n", what, errno, strerror(errno));
	exit(1);
}

static uint64_t now_ns(void)
{
	struct timespec time;
	clock_gettime(CLOCK_MONOTONIC, &time);
	return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static struct twin_counters read_counters(void)
{
	struct twin_counters copy;
	copy.received = __atomic_load_n(&twin_counters.received, __ATOMIC_RELAXED);
	copy.sent = __atomic_load_n(&twin_counters.sent, __ATOMIC_RELAXED);
	copy.dropped = __atomic_load_n(&twin_counters.dropped, __ATOMIC_RELAXED);
	return copy;
}

int twin_serve(int cpu, void *(*work)(void *), void *argument)
{
	char line[64];
	pthread_t thread;
	pthread_attr_t attributes;
	cpu_set_t cpus;

	CPU_ZERO(&cpus);
	CPU_SET(cpu, &cpus);
	pthread_attr_init(&attributes);
	pthread_attr_setaffinity_np(&attributes, sizeof(cpus), &cpus);
	errno = pthread_create(&thread, &attributes, work, argument);
	if (errno != 0)
		twin_fail("pthread_create");
	printf("ready\n");
	fflush(stdout);
	while (fgets(line, sizeof(line), stdin) != NULL) {
		int ms = 0;
		if (sscanf(line, "measure %d", &ms) != 1 || ms < 1)
			break;
		struct timespec pause = {.tv_sec = ms / 1000, .tv_nsec = (ms % 1000) * 1000000L};
		uint64_t start = now_ns();
		struct twin_counters before = read_counters();
		nanosleep(&pause, NULL);
		struct twin_counters after = read_counters();
		printf("%lu %lu %lu %lu\n", now_ns() - start, after.received - before.received, after.sent - before.sent,
		       after.dropped - before.dropped);
		fflush(stdout);
	}
	twin_stop = true;
	pthread_join(thread, NULL);
	return 0;
}
