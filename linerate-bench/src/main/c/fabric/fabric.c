/*
 * fabric: libfabric alone, in C: the twin of the benchmark `fabric`, and a peer for tests of other programs on libfabric.
 *
 *   fabric ROLE --provider P --listen ADDRESS [OPTION...]     a server: start it first, and wait until it says "ready"
 *   fabric ROLE --provider P --connect ADDRESS [OPTION...]    its client, with the same options
 *
 * Providers and addresses: shm, whose address is a name NAME for fi_shm://NAME, and a client has a --name of its own;
 * tcp (endpoints with connections), "tcp;ofi_rxm" and "udp;ofi_rxd" (RDM), whose addresses are host:port. No RMA on
 * udp;ofi_rxd: with libfabric 1.17, fi_close of an endpoint never returns after it. No tags on tcp.
 *
 *   pong, ping      half a round trip: --size bytes there and back, one at a time
 *   sink, source    messages in one direction, --window of them under way (credits: see stream.c); rate is another
 *   both, both      name of source, for small messages; both: the same in two directions at once
 *   target, write   RMA on a region of --size bytes (the first of them), --window operations under way; the time of one
 *   target, read    with --window 1. A write is done when the target's memory has it
 *   echo, echo      verified: --count messages of each --size A,B,C..., of --seed, returned by the server
 *   tagged, tagged  the same with tags
 *   target, rma     verified: --count writes, reads and fetching adds for each --size; the target's first size is its region
 *
 * Measuring roles run --warm-up-ms and then --ms, or until --bytes have gone, and print a line of JSON; with --orders they
 * follow those of io.linerate.bench.duel.Contestant on standard input, and end with it. --usual is how it is usually
 * written: a completion for every operation, read one at a time from a queue each for sends and receives, no fi_inject.
 * --wait spin, yield or fd (a file descriptor, which shm and udp;ofi_rxd lack). Two programs that spin want a CPU each: where
 * a third program wants one too, they starve each other, for a time slice of the scheduler at every message; then yield.
 * --cpu N pins. --timeout S ends a program to which nothing comes. Exit status: 0 all was right, 1 not, 2 wrong options.
 *
 * What is said on the wire. All numbers are little endian; a message is one of fi_send, without a header.
 *   Hello. On providers without connections (all but tcp) the client's first message is its own address, the bytes that
 *     fi_getname gives: the server inserts it, and answers there. Messages after it may be sent at once. A server on shm must
 *     not insert a client's name before that message came.
 *   Pattern. The bytes of message number n (from 0, over all sizes) of seed s: state = s ^ (n + 1) * 0x9E3779B97F4A7C15, then
 *     for every 8 bytes, in 64 bits: state += 0x9E3779B97F4A7C15; z = state; z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
 *     z = (z ^ z >> 27) * 0x94D049BB133111EB; z ^= z >> 31; the 8 bytes are z, the last ones cut.
 *   echo. For each size in the order of the command line, --count times: the client sends the pattern's bytes, the server
 *     looks whether length and bytes are those, and sends the pattern's bytes of the same number back; the client looks, too,
 *     and only then goes on. At the end the client sends 8 bytes, how many messages were right, and the server the same.
 *   tagged. Numbers and sizes as in echo, in groups of four (the last may have less). Message n of a client has tag n, its
 *     answer n + 2^32. A server has posted receives for the next group, the last number first, before it answers a group, for
 *     the first before it is ready; it answers the last number first. A client has posted receives for the answers before it
 *     sends, and has all answers of a group before it sends the next. Hello and the 8 bytes at the end have no tag.
 *   target. Its first message, after the hello if there is one: address, key and length of the region, 8 bytes each. The
 *     region holds the pattern of message 0. The client does what it likes; when all of it is done it sends 8 bytes, the
 *     number of its operations, and the target answers with 8 bytes, the checksum of the region (FNV-1a of 64 bits), prints it
 *     and ends. The client rma does, for operation k, what verify.c says; another one may do anything.
 *   ping, pong, source, sink, both end with messages without bytes that carry remote CQ data: see END_OF_RUN in twin.h.
 */
#define _GNU_SOURCE /* CPU sets */
#include "twin.h"

#include <getopt.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define WRONG_USAGE 2
#define WINDOW_BYTES (4u << 20)
#define LEAST_WINDOW 4
#define MOST_WINDOW 64
#define MAX_BYTES ((size_t)1 << 30)

struct role {
	const char *name;
	int (*run)(const struct options *options);
	int needs; /* 1 a server, 2 a client, 0 either */
};

enum { EITHER, SERVER, CLIENT };

static const struct role roles[] = {
	{"ping", run_ping, CLIENT},    {"pong", run_pong, SERVER},   {"source", run_stream, CLIENT},
	{"sink", run_stream, SERVER},  {"rate", run_stream, CLIENT}, {"both", run_stream, EITHER},
	{"target", run_target, SERVER}, {"write", run_rma, CLIENT},  {"read", run_rma, CLIENT},
	{"echo", run_echo, EITHER},    {"tagged", run_tagged, EITHER}, {"rma", run_verified_rma, CLIENT},
};

static noreturn void end_with(int status, const char *format, va_list arguments)
{
	fputs("fabric: ", stderr);
	vfprintf(stderr, format, arguments);
	fputc('\n', stderr);
	exit(status);
}

/* Something went wrong while running. */
noreturn void die(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	end_with(EXIT_FAILURE, format, arguments);
}

/* Something is wrong with the command line. */
noreturn void refuse(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	end_with(WRONG_USAGE, format, arguments);
}

/* Dies unless a call of libfabric came to something. */
void require(long status, const char *call)
{
	if (__builtin_expect(status < 0, 0))
		die("call failed: call=%s, error=%s, code=%ld", call, fi_strerror(-status), status);
}

static uint64_t number(const char *name, const char *text, uint64_t least, uint64_t most)
{
	char *end;
	uint64_t value = strtoull(text, &end, 0);

	if (end == text || *end != '\0' || text[0] == '-' || value < least || value > most)
		refuse("not a number for this: option=%s, value=%s; give %llu to %llu", name, text, (unsigned long long)least,
		       (unsigned long long)most);
	return value;
}

static void read_sizes(struct options *options, const char *text)
{
	char copy[1024];

	snprintf(copy, sizeof(copy), "%s", text);
	options->size_count = 0;
	for (char *rest = copy, *one; (one = strsep(&rest, ",")) != NULL;) {
		if (options->size_count == MAX_SIZES)
			refuse("too many sizes: most=%d; give fewer", MAX_SIZES);
		options->sizes[options->size_count++] = number("size", one, 0, MAX_BYTES);
	}
}

static enum wait_mode wait_mode(const char *text)
{
	if (strcmp(text, "spin") == 0)
		return WAIT_SPIN;
	if (strcmp(text, "fd") == 0)
		return WAIT_FD;
	if (strcmp(text, "yield") == 0)
		return WAIT_YIELD;
	refuse("no such way to wait: wait=%s; give spin, fd or yield", text);
}

static const struct option long_options[] = {
	{"provider", required_argument, NULL, 'p'}, {"listen", required_argument, NULL, 'l'},
	{"connect", required_argument, NULL, 'c'},  {"name", required_argument, NULL, 'n'},
	{"size", required_argument, NULL, 's'},
	{"count", required_argument, NULL, 'N'},    {"bytes", required_argument, NULL, 'b'},
	{"seed", required_argument, NULL, 'S'},     {"window", required_argument, NULL, 'w'},
	{"ms", required_argument, NULL, 'm'},       {"warm-up-ms", required_argument, NULL, 'W'},
	{"wait", required_argument, NULL, 'x'},     {"timeout", required_argument, NULL, 't'},
	{"cpu", required_argument, NULL, 'C'},      {"usual", no_argument, NULL, 'u'},
	{"orders", no_argument, NULL, 'o'},         {NULL, 0, NULL, 0},
};

static void read_option(struct options *options, int letter)
{
	switch (letter) {
	case 'p': options->provider = optarg; break;
	case 'l': options->listen = optarg; break;
	case 'c': options->connect = optarg; break;
	case 'n': options->name = optarg; break;
	case 's': read_sizes(options, optarg); break;
	case 'N': options->count = number("count", optarg, 1, 1u << 30); break;
	case 'b': options->bytes = number("bytes", optarg, 1, 1ull << 50); break;
	case 'S': options->seed = number("seed", optarg, 0, UINT64_MAX); break;
	case 'w': options->window = number("window", optarg, 1, 1u << 12); break;
	case 'm': options->ms = number("ms", optarg, 1, 3600000); break;
	case 'W': options->warm_up_ms = number("warm-up-ms", optarg, 0, 3600000); break;
	case 'x': options->wait = wait_mode(optarg); break;
	case 't': options->timeout_s = number("timeout", optarg, 1, 3600); break;
	case 'C': options->cpu = number("cpu", optarg, 0, CPU_SETSIZE - 1); break;
	case 'u': options->is_usual = 1; break;
	case 'o': options->is_ordered = 1; break;
	default: exit(WRONG_USAGE);
	}
}

static const struct role *find_role(const char *name)
{
	for (size_t i = 0; i < sizeof(roles) / sizeof(roles[0]); i++)
		if (strcmp(roles[i].name, name) == 0)
			return &roles[i];
	refuse("no such role: role=%s; the head of fabric.c has them", name);
}

static void check(const struct options *options, const struct role *role)
{
	int is_shm = options->provider != NULL && strcmp(options->provider, "shm") == 0;

	if (options->provider == NULL)
		refuse("no provider: give --provider shm, tcp, 'tcp;ofi_rxm' or 'udp;ofi_rxd'");
	if ((options->listen == NULL) == (options->connect == NULL))
		refuse("not one address: role=%s; give --listen to a server, --connect to a client", options->role);
	if (role->needs != EITHER && (role->needs == SERVER) != is_server(options))
		refuse("wrong side: role=%s; give --%s", options->role, role->needs == SERVER ? "listen" : "connect");
	if (is_shm && !is_server(options) && options->name == NULL)
		refuse("no name: provider=shm; give --name, the client's own");
}

/* What fits a cache, within reason: the same on both sides, which are given the same size. */
static size_t default_window(size_t bytes)
{
	size_t fits = WINDOW_BYTES / (bytes > 0 ? bytes : 1);

	return fits < LEAST_WINDOW ? LEAST_WINDOW : fits > MOST_WINDOW ? MOST_WINDOW : fits;
}

static void pin(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set) != 0)
		refuse("no such CPU: cpu=%d; give one that this may run on", cpu);
}

/*
 * libfabric loads libinfinipath, which handles signals in its own way unless this is set, and that before main() runs: so
 * this starts once more.
 */
static void start_without_handlers(char **arguments)
{
	if (getenv("IPATH_NO_BACKTRACE") != NULL)
		return;
	setenv("IPATH_NO_BACKTRACE", "1", 1);
	execv("/proc/self/exe", arguments);
	die("cannot start again: file=/proc/self/exe; set IPATH_NO_BACKTRACE=1");
}

int main(int count, char **arguments)
{
	struct options options = {.ms = 1000, .warm_up_ms = 200, .timeout_s = 60, .cpu = -1,
	                          .sizes = {64}, .size_count = 1, .count = 10, .seed = 1};
	int letter;

	start_without_handlers(arguments);
	while ((letter = getopt_long(count, arguments, "", long_options, NULL)) != -1)
		read_option(&options, letter);
	if (optind != count - 1)
		refuse("not one role: roles=%d; the head of fabric.c has them", count - optind);
	options.role = arguments[optind];
	const struct role *role = find_role(options.role);

	check(&options, role);
	if (options.window == 0)
		options.window = default_window(options.sizes[0]);
	if (options.cpu >= 0)
		pin(options.cpu);
	return role->run(&options);
}
