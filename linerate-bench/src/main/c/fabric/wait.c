/* Waiting for completions: by polling, by sleeping on a file descriptor, or by polling with sched_yield() in between. */
#include "twin.h"

#include <poll.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* How many empty polls pass before the clock is asked, which costs more than a poll. */
#define POLLS_A_LOOK (1u << 16)
#define SLEEP_MS 100

uint64_t now_ns(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (uint64_t)time.tv_sec * 1000000000u + time.tv_nsec;
}

/* Time that this has run: a program that was stopped in between has not waited then. */
double cpu_seconds(void)
{
	struct timespec time;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
	return time.tv_sec + time.tv_nsec / 1e9;
}

/* Lets the provider work; completions stay where they are. */
void progress(struct fabric *fabric)
{
	fi_cq_read(fabric->receives, NULL, 0);
	if (fabric->sends != fabric->receives)
		fi_cq_read(fabric->sends, NULL, 0);
	idle(fabric);
}

static noreturn void fail(struct fid_cq *queue)
{
	struct fi_cq_err_entry error = {0};
	char text[256] = "";

	if (fi_cq_readerr(queue, &error, 0) != 1)
		die("completion failed: error=unknown; look at the peer's message");
	fi_cq_strerror(queue, error.prov_errno, error.err_data, text, sizeof(text));
	die("completion failed: error=%s, code=%d, provider=%s; look at the peer's message", fi_strerror(error.err),
	    error.err, text);
}

/* Takes what completions there are, 0 to most. */
int poll_queue(struct fabric *fabric, struct fid_cq *queue, struct fi_cq_data_entry *entries, int most)
{
	ssize_t read = fi_cq_read(queue, entries, most);

	(void)fabric;
	if (__builtin_expect(read > 0, 1))
		return read;
	if (read == -FI_EAGAIN)
		return 0;
	if (read == -FI_EAVAIL)
		fail(queue);
	require(read, "fi_cq_read");
	return 0;
}

static noreturn void time_out(struct fabric *fabric)
{
	die("nothing came: seconds=%d; is the peer running?", fabric->options->timeout_s);
}

/* Who started this may have been killed: nothing is left polling then. */
static void require_parent(void)
{
	static pid_t parent;

	if (parent == 0)
		parent = getppid();
	else if (getppid() != parent)
		die("parent has ended: pid=%d", parent);
}

static void look(struct fabric *fabric)
{
	double now = cpu_seconds();

	require_parent();
	if (fabric->idle_polls == POLLS_A_LOOK)
		fabric->idle_since_s = now;
	else if (now - fabric->idle_since_s > fabric->options->timeout_s)
		time_out(fabric);
}

/* Called after an empty poll, when there is nothing else to do. */
void idle(struct fabric *fabric)
{
	if (__builtin_expect((++fabric->idle_polls & (POLLS_A_LOOK - 1)) == 0, 0))
		look(fabric);
	if (fabric->options->wait == WAIT_YIELD)
		sched_yield();
}

static void sleep_on(struct fabric *fabric, struct fid_cq *queue, int *slept)
{
	struct fid *fids[] = {&queue->fid};
	struct pollfd fd = {.fd = fabric->wait_fd, .events = POLLIN};

	if (queue != fabric->receives)
		require(fi_control(&queue->fid, FI_GETWAIT, &fd.fd), "fi_control");
	if (fi_trywait(fabric->fabric, fids, 1) != FI_SUCCESS)
		return;
	if (poll(&fd, 1, SLEEP_MS) == 0) {
		require_parent();
		if (++*slept > fabric->options->timeout_s * 1000 / SLEEP_MS)
			time_out(fabric);
	}
}

/* Takes completions, 1 to most, when there are some. */
int await(struct fabric *fabric, struct fid_cq *queue, struct fi_cq_data_entry *entries, int most)
{
	int slept = 0;

	for (;;) {
		int read = poll_queue(fabric, queue, entries, most);

		if (read > 0) {
			fabric->idle_polls = 0;
			return read;
		}
		if (fabric->options->wait == WAIT_FD)
			sleep_on(fabric, queue, &slept);
		else
			idle(fabric);
	}
}
