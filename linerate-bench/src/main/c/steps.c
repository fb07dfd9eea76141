/*
 * Counts the instructions that a thread executes, one by one, and says whose they are: exact where there are no
 * hardware counters, and undisturbed by whatever else the machine does. The thread is a thousand times slower meanwhile.
 *
 * steps PID TID COUNT [TEXT]: executes so many instructions of the thread. With TEXT, figures are for each time that the
 * functions go by whose names have it: the most frequent number of executions of an instruction there is taken for that.
 *
 * A JVM has to say first where its functions are: jcmd PID Compiler.perfmap
 */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>

#define MAX_FUNCTIONS 65536
#define NAME 160
#define SHOWN 30

/* PTRACE_EVENT_STOP of linux/ptrace.h, which cannot be included beside sys/ptrace.h. */
#define EVENT_STOP 128

struct function {
	uint64_t from, to;
	long steps;
	char name[NAME];
};

static struct function functions[MAX_FUNCTIONS];
static int function_count;

static void add(uint64_t from, uint64_t to, const char *name)
{
	if (function_count == MAX_FUNCTIONS)
		return;
	struct function *one = &functions[function_count++];

	one->from = from;
	one->to = to;
	snprintf(one->name, NAME, "%s", name);
}

/* Functions of the JVM's compilers, then the libraries: the first that has an address counts. */
static void read_functions(int pid)
{
	char file[64], line[4096], name[4096];
	unsigned long from, to, size;
	char access[8];

	snprintf(file, sizeof(file), "/tmp/perf-%d.map", pid);
	FILE *stream = fopen(file, "r");

	if (stream != NULL) {
		while (fgets(line, sizeof(line), stream) != NULL)
			if (sscanf(line, "%lx %lx %4000[^\n]", &from, &size, name) == 3)
				add(from, from + size, name);
		fclose(stream);
	}
	snprintf(file, sizeof(file), "/proc/%d/maps", pid);
	stream = fopen(file, "r");
	if (stream == NULL) {
		fprintf(stderr, "no such process: pid=%d; give one that runs\n", pid);
		exit(2);
	}
	while (fgets(line, sizeof(line), stream) != NULL)
		if (sscanf(line, "%lx-%lx %4s %*s %*s %*s %4000s", &from, &to, access, name) == 4 && access[2] == 'x')
			add(from, to, strrchr(name, '/') != NULL ? strrchr(name, '/') + 1 : name);
	fclose(stream);
}

static void fail(const char *what)
{
	fprintf(stderr, "thread cannot be stepped: call=%s, error=%s; run as root, with the numbers of a thread that runs\n",
		what, strerror(errno));
	exit(1);
}

static int wait_for_stop(int tid)
{
	int status;

	if (waitpid(tid, &status, __WALL) < 0)
		fail("waitpid");
	if (!WIFSTOPPED(status)) {
		fprintf(stderr, "thread has ended while it was stepped: tid=%d; take one that lives longer\n", tid);
		exit(1);
	}
	return status;
}

/*
 * Executes instructions; signals that come meanwhile go to the thread, and while its process is stopped it stays so. The
 * last stop is always one after an instruction: a trap that were still to come would end the process, once nobody steps it.
 */
static void step(int tid, uint64_t *at, long count)
{
	int signal = 0;

	if (ptrace(PTRACE_SEIZE, tid, 0, 0) < 0 || ptrace(PTRACE_INTERRUPT, tid, 0, 0) < 0)
		fail("PTRACE_SEIZE");
	wait_for_stop(tid);
	for (long i = 0; i < count;) {
		if (ptrace(PTRACE_SINGLESTEP, tid, 0, signal) < 0)
			fail("PTRACE_SINGLESTEP");
		int status = wait_for_stop(tid);

		while (status >> 16 == EVENT_STOP && WSTOPSIG(status) != SIGTRAP) {
			if (ptrace(PTRACE_LISTEN, tid, 0, 0) < 0)
				fail("PTRACE_LISTEN");
			status = wait_for_stop(tid);
		}
		signal = WSTOPSIG(status) == SIGTRAP ? 0 : WSTOPSIG(status);
		if (status >> 16 == 0 && signal == 0)
			at[i++] = ptrace(PTRACE_PEEKUSER, tid, offsetof(struct user, regs.rip), 0);
	}
	ptrace(PTRACE_DETACH, tid, 0, 0);
}

static int by_address(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

static int by_steps(const void *a, const void *b)
{
	const struct function *x = a, *y = b;

	return (x->steps < y->steps) - (x->steps > y->steps);
}

static struct function *function_at(uint64_t address)
{
	for (int i = 0; i < function_count; i++)
		if (functions[i].from <= address && address < functions[i].to)
			return &functions[i];
	return NULL;
}

/* Counts each function's steps; returns how often those with the text went by, or 1. */
static long count_steps(uint64_t *at, long count, const char *text)
{
	long *times = calloc(count + 1, sizeof(*times)), best = 0;

	qsort(at, count, sizeof(*at), by_address);
	for (long i = 0, next; i < count; i = next) {
		for (next = i; next < count && at[next] == at[i]; next++)
			;
		struct function *function = function_at(at[i]);

		if (function == NULL)
			continue;
		function->steps += next - i;
		if (text != NULL && strstr(function->name, text) != NULL)
			times[next - i]++;
	}
	for (long n = 1; n <= count; n++)
		if (times[n] > times[best])
			best = n;
	free(times);
	return best > 0 ? best : 1;
}

int main(int argc, char **argv)
{
	if (argc < 4 || atol(argv[3]) < 1) {
		fprintf(stderr, "usage: steps PID TID COUNT [TEXT], such as: steps 4711 4730 200000 StraightPath\n");
		return 2;
	}
	long count = atol(argv[3]);
	uint64_t *at = calloc(count, sizeof(*at));

	read_functions(atoi(argv[1]));
	step(atoi(argv[2]), at, count);
	double times = count_steps(at, count, argc > 4 ? argv[4] : NULL);

	qsort(functions, function_count, sizeof(functions[0]), by_steps);
	printf("%10.1f  all\n", count / times);
	for (int i = 0; i < function_count && i < SHOWN && functions[i].steps > 0; i++)
		printf("%10.1f  %s\n", functions[i].steps / times, functions[i].name);
	return 0;
}
