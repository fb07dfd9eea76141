/* What the kernel-ring twins share: a worker on its CPU, and orders from the harness. */
#ifndef LINERATE_LINUX_TWIN_H
#define LINERATE_LINUX_TWIN_H

#include <stdbool.h>
#include <stdint.h>

/* Written by the worker only. */
struct twin_counters {
	uint64_t received;
	uint64_t sent;
	uint64_t dropped;
};

extern struct twin_counters twin_counters;
extern volatile bool twin_stop;

/* Ends the process with a message that names the call and errno. */
void twin_fail(const char *what) __attribute__((noreturn));

/*
 * Runs work in a thread on a CPU, and answers orders on standard input: "measure MS" prints "nanoseconds received sent
 * dropped", the differences over that time. Ends at the end of the input.
 */
int twin_serve(int cpu, void *(*work)(void *), void *argument);

#endif
