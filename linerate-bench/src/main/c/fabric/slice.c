/* Measuring: once, with a line of JSON as the result, or in slices that the benchmark orders on standard input. */
#include "twin.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINE 256
#define FOREVER_NS (UINT64_MAX / 2)

static void print_json(const struct fabric *fabric, size_t bytes, uint64_t operations, uint64_t ns)
{
	const struct options *options = fabric->options;
	double seconds = ns / 1e9;

	printf("{\"role\":\"%s\",\"provider\":\"%s\",\"mode\":\"%s\",\"bytes\":%zu,\"window\":%zu,\"operations\":%" PRIu64
	       ",\"nanoseconds\":%" PRIu64 ",\"nsPerOperation\":%.1f,\"operationsPerSecond\":%.0f,\"bytesPerSecond\":%.0f}\n",
	       options->role, options->provider, options->is_usual ? "usual" : "best", bytes, options->window, operations, ns,
	       operations == 0 ? 0 : (double)ns / operations, operations / seconds,
	       (double)operations * bytes / seconds);
	fflush(stdout);
}

/* Without an end in messages until the time is over; else so many again and again while there is time, at least once. */
static uint64_t run_for(struct fabric *fabric, slice_function slice, uint64_t duration_ns, uint64_t most)
{
	uint64_t start = now_ns(), operations = 0;

	if (most == UINT64_MAX)
		return slice(fabric, duration_ns, most);
	do
		operations += slice(fabric, FOREVER_NS, most);
	while (now_ns() - start < duration_ns);
	return operations;
}

/* The orders of io.linerate.bench.duel.Contestant. */
static void follow_orders(struct fabric *fabric, slice_function slice, size_t bytes, uint64_t most)
{
	uint64_t all = 0, all_ns = 0;
	char line[LINE];

	puts("ready");
	fflush(stdout);
	while (fgets(line, sizeof(line), stdin) != NULL) {
		uint64_t operations = 0, ns = 0;

		if (strncmp(line, "measure ", 8) == 0) {
			uint64_t start = now_ns();

			operations = run_for(fabric, slice, strtoull(line + 8, NULL, 10) * 1000000, most);
			ns = now_ns() - start;
			all += operations;
			all_ns += ns;
			printf("%" PRIu64 " %" PRIu64 " %" PRIu64 " 0 0\n", ns, operations, operations);
		} else if (strcmp(line, "counts\n") == 0) {
			printf("%" PRIu64 " %" PRIu64 " %" PRIu64 " 0 0\n", all_ns, all, all);
		} else {
			die("no such order: line=%s", line);
		}
		fflush(stdout);
	}
	print_json(fabric, bytes, all, all_ns);
}

void run_slices(struct fabric *fabric, slice_function slice, size_t bytes)
{
	const struct options *options = fabric->options;

	uint64_t most = options->bytes == 0 ? UINT64_MAX : options->bytes / (bytes > 0 ? bytes : 1);

	if (options->is_ordered) {
		follow_orders(fabric, slice, bytes, most);
		return;
	}
	if (options->warm_up_ms > 0)
		slice(fabric, options->warm_up_ms * 1000000ull, UINT64_MAX);
	uint64_t start = now_ns();
	uint64_t operations = slice(fabric, options->bytes == 0 ? options->ms * 1000000ull : FOREVER_NS, most);

	print_json(fabric, bytes, operations, now_ns() - start);
}
