/*
 * Sends frames to port 0 at a steady rate, receives them from port 1, and tells how long they were away.
 *
 * Up to PACED_MOST packets a second it sleeps between frames, as a real-time thread: it lets others have its CPU, and takes
 * it back at once. A frame carries the time at which it is sent; no one but the kernel can make that late. Above, it polls, as
 * a thread among others, and a frame carries the time at which it was due: if this program had to wait for its CPU, the
 * frames that waited with it say so. Either way frames are sent whether those before came back or not: if the forwarder
 * stands still, all that wait for it count. (Gil Tene calls the opposite coordinated omission.)
 *
 * Orders on standard input: "run PACKETS-PER-SECOND MS STALL-NS SCHEDSTAT"; the last is the file in which the kernel says how
 * long the forwarder's thread waited for its CPU, proc(5). The answer is a line "sent received wrong duration-ns worst-ns
 * late-ns", where late is the longest time that a frame left after it was due; a line "delay-ns count" for each class of
 * delays that occurred, at most 0.1 % wide; a line "stalls"; a line "start length waited" for each time, in ns, the start since
 * 1970, in which frames took STALL-NS or longer; and a line "end".
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include <rte_cycles.h>
#include <rte_eal.h>
#include <rte_errno.h>
#include <rte_ethdev.h>
#include <rte_ether.h>
#include <rte_ip.h>
#include <rte_mbuf.h>
#include <rte_udp.h>

#define PORTS 2
#define BUFFERS 16384
#define CACHE 256
#define DESCRIPTORS 1024
#define BURST 32

#define FRAME_BYTES 64
#define STAMP_OFFSET 42
#define SERIAL_OFFSET 50
#define PEERS_TIMEOUT_MS 10000
#define LAST_WAIT_MS 50

#define PACED_MOST 250000
#define PRIORITY 10
#define LEAST_NICE (-20)
/* Frames that are away for longer are no longer polled for without a pause. */
#define PATIENCE_US 50
#define NAP_US 20

/* Delays below 2048 ns have a class each; above, each power of two has 1024. */
#define HALF_BITS 10
#define HALF (1u << HALF_BITS)
#define CLASSES (HALF * 44)

/* Of a serial number: the frame's in its run, below the run's. */
#define RUN_SHIFT 48

#define STALLS_MOST 8192

struct stall {
	uint64_t start; /* cycles */
	uint64_t end;
	uint64_t waited_ns;
};

struct run {
	double period;      /* cycles between two frames */
	bool paced;
	uint64_t start;     /* cycles */
	uint64_t start_ns;  /* since 1970 */
	uint64_t last_sent; /* cycles */
	uint64_t stall;     /* cycles from which on it is one */
	uint64_t sent;
	uint64_t received;
	uint64_t wrong;
	uint64_t duration_ns;
	uint64_t worst_ns;
	uint64_t late;      /* cycles */
	uint32_t stalls;
};

static struct rte_mempool *pool;
static uint8_t frame[FRAME_BYTES];
static uint32_t classes[CLASSES];
static uint64_t hz;
static uint64_t run_number;  /* in the upper bits of the serial numbers */
static uint64_t next_serial; /* of the next frame to be received */
static struct stall stalls[STALLS_MOST];
static int schedstat = -1;
static uint64_t waited_ns;   /* what it said last */

static void fail(const char *what, int code)
{
	fprintf(stderr, "meter: %s: code=%d, text=%s\n", what, code, rte_strerror(-code));
	exit(1);
}

static uint64_t to_ns(uint64_t cycles)
{
	return (uint64_t)((double)cycles * 1e9 / (double)hz);
}

static uint32_t class_of(uint64_t ns)
{
	if (ns < 2 * HALF)
		return (uint32_t)ns;
	uint32_t shift = 63 - (uint32_t)__builtin_clzll(ns) - HALF_BITS;
	uint32_t class = shift * HALF + (uint32_t)(ns >> shift);
	return class < CLASSES ? class : CLASSES - 1;
}

static uint64_t delay_of(uint32_t class)
{
	if (class < 2 * HALF)
		return class;
	uint32_t shift = class / HALF - 1;
	return (uint64_t)(class - shift * HALF) << shift;
}

static void write_template(void)
{
	struct rte_ether_hdr *ether = (struct rte_ether_hdr *)frame;
	struct rte_ipv4_hdr *ip = (struct rte_ipv4_hdr *)(ether + 1);
	struct rte_udp_hdr *udp = (struct rte_udp_hdr *)(ip + 1);

	ether->ether_type = rte_cpu_to_be_16(RTE_ETHER_TYPE_IPV4);
	ip->version_ihl = 0x45;
	ip->total_length = rte_cpu_to_be_16(FRAME_BYTES - sizeof(*ether));
	ip->time_to_live = 64;
	ip->next_proto_id = IPPROTO_UDP;
	ip->src_addr = rte_cpu_to_be_32(0x0A000001);
	ip->dst_addr = rte_cpu_to_be_32(0x0A010001);
	ip->hdr_checksum = rte_ipv4_cksum(ip);
	udp->dgram_len = rte_cpu_to_be_16(FRAME_BYTES - sizeof(*ether) - sizeof(*ip));
}

/* Sends up to count frames, due at due, due + period ...; returns how many the ring took. */
static uint16_t send_frames(struct run *run, uint64_t now, double due, uint16_t count)
{
	struct rte_mbuf *mbufs[BURST];

	if (rte_pktmbuf_alloc_bulk(pool, mbufs, count) != 0)
		return 0;
	for (uint16_t i = 0; i < count; i++) {
		uint8_t *data = rte_pktmbuf_mtod(mbufs[i], uint8_t *);
		uint64_t stamp = run->paced ? now : (uint64_t)(due + run->period * i);
		uint64_t number = (run_number << RUN_SHIFT) + run->sent + i;
		memcpy(data, frame, FRAME_BYTES);
		memcpy(data + STAMP_OFFSET, &stamp, sizeof(stamp));
		memcpy(data + SERIAL_OFFSET, &number, sizeof(number));
		mbufs[i]->data_len = FRAME_BYTES;
		mbufs[i]->pkt_len = FRAME_BYTES;
	}
	uint16_t taken = rte_eth_tx_burst(0, 0, mbufs, count);
	if (taken < count)
		rte_pktmbuf_free_bulk(mbufs + taken, count - taken);
	return taken;
}

/* For how long the forwarder's thread has waited since this was asked last. */
static uint64_t newly_waited_ns(void)
{
	char text[64];
	uint64_t before = waited_ns;
	ssize_t length = pread(schedstat, text, sizeof(text) - 1, 0);

	if (length <= 0)
		return 0;
	text[length] = '\0';
	if (sscanf(text, "%*u %lu", &waited_ns) != 1)
		return 0;
	return waited_ns - before;
}

/* A frame that was away from sent to now for too long: of the last stall, if they overlap, or of a new one. */
static void note_stall(struct run *run, uint64_t sent, uint64_t now)
{
	struct stall *last = run->stalls == 0 ? NULL : &stalls[run->stalls - 1];

	if (last != NULL && sent <= last->end) {
		if (now != last->end)
			last->waited_ns += newly_waited_ns();
		last->end = now;
	} else if (run->stalls < STALLS_MOST) {
		stalls[run->stalls++] = (struct stall){.start = sent, .end = now, .waited_ns = newly_waited_ns()};
	}
}

/* Whether the frame is of this run: one that comes back after its run has ended is nobody's. */
static bool record(struct run *run, const struct rte_mbuf *mbuf, uint64_t now)
{
	const uint8_t *data = rte_pktmbuf_mtod(mbuf, const uint8_t *);
	uint64_t stamp;
	uint64_t serial;

	memcpy(&stamp, data + STAMP_OFFSET, sizeof(stamp));
	memcpy(&serial, data + SERIAL_OFFSET, sizeof(serial));
	if (serial >> RUN_SHIFT != run_number)
		return false;
	/* Lost frames leave gaps; order and content must stay. */
	if (rte_pktmbuf_pkt_len(mbuf) != FRAME_BYTES || serial < next_serial || memcmp(data, frame, STAMP_OFFSET) != 0)
		run->wrong++;
	next_serial = serial + 1;
	uint64_t delay_ns = now > stamp ? to_ns(now - stamp) : 0;
	classes[class_of(delay_ns)]++;
	if (delay_ns > run->worst_ns)
		run->worst_ns = delay_ns;
	if (now > stamp && now - stamp >= run->stall)
		note_stall(run, stamp, now);
	return true;
}

static void receive(struct run *run)
{
	struct rte_mbuf *mbufs[BURST];
	uint16_t n = rte_eth_rx_burst(1, 0, mbufs, BURST);

	if (n == 0)
		return;
	uint64_t now = rte_rdtsc();
	for (uint16_t i = 0; i < n; i++)
		run->received += record(run, mbufs[i], now);
	rte_pktmbuf_free_bulk(mbufs, n);
}

/* When the frame is due that is sent next. */
static double next_due(const struct run *run)
{
	return (double)run->start + run->period * (double)run->sent;
}

/* Sends what is due now, a burst at most. */
static void send_due(struct run *run, uint64_t now)
{
	double due = next_due(run);

	if ((double)now < due)
		return;
	double count = ((double)now - due) / run->period + 1;
	uint16_t sent = send_frames(run, now, due, count > BURST ? BURST : (uint16_t)count);
	if (sent == 0)
		return;
	run->sent += sent;
	run->last_sent = now;
	if (now - (uint64_t)due > run->late)
		run->late = now - (uint64_t)due;
}

/* Leaves the CPU to others until the next frame is due; while frames are away, not at once and not for long. */
static void rest(const struct run *run, uint64_t now)
{
	uint64_t due = (uint64_t)next_due(run);
	bool all_back = next_serial - (run_number << RUN_SHIFT) >= run->sent;

	if (now >= due || (!all_back && to_ns(now - run->last_sent) < PATIENCE_US * 1000))
		return;
	uint64_t ns = to_ns(due - now);
	if (!all_back && ns > NAP_US * 1000)
		ns = NAP_US * 1000;
	struct timespec time = {.tv_sec = ns / 1000000000, .tv_nsec = ns % 1000000000};
	clock_nanosleep(CLOCK_MONOTONIC, 0, &time, NULL);
}

static void schedule(int policy, int priority)
{
	struct sched_param param = {.sched_priority = priority};

	if (sched_setscheduler(0, policy, &param) != 0)
		fail("sched_setscheduler failed; run it as root", -errno);
}

static uint64_t wall_ns(void)
{
	struct timespec time;

	clock_gettime(CLOCK_REALTIME, &time);
	return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static struct run measure(double packets_per_s, uint64_t ms, uint64_t stall_ns)
{
	struct run run = {
		.period = (double)hz / packets_per_s,
		.paced = packets_per_s <= PACED_MOST,
		.stall = (uint64_t)((double)stall_ns * (double)hz / 1e9),
	};

	run_number++;
	next_serial = run_number << RUN_SHIFT;
	memset(classes, 0, sizeof(classes));
	newly_waited_ns();
	if (run.paced)
		schedule(SCHED_FIFO, PRIORITY);
	run.start_ns = wall_ns();
	run.start = rte_rdtsc();
	uint64_t now = run.start;
	for (uint64_t end = run.start + ms * hz / 1000; now < end; now = rte_rdtsc()) {
		send_due(&run, now);
		receive(&run);
		if (run.paced)
			rest(&run, rte_rdtsc());
	}
	run.duration_ns = to_ns(now - run.start);
	schedule(SCHED_OTHER, 0);
	uint64_t last = now + LAST_WAIT_MS * hz / 1000;
	while (run.received < run.sent && rte_rdtsc() < last)
		receive(&run);
	return run;
}

static void report(const struct run *run)
{
	printf("%lu %lu %lu %lu %lu %lu\n", run->sent, run->received, run->wrong, run->duration_ns, run->worst_ns,
	       to_ns(run->late));
	for (uint32_t class = 0; class < CLASSES; class++)
		if (classes[class] != 0)
			printf("%lu %u\n", delay_of(class), classes[class]);
	printf("stalls\n");
	for (uint32_t i = 0; i < run->stalls; i++)
		printf("%lu %lu %lu\n", run->start_ns + to_ns(stalls[i].start - run->start),
		       to_ns(stalls[i].end - stalls[i].start), stalls[i].waited_ns);
	printf("end\n");
	fflush(stdout);
}

static void open_port(uint16_t port)
{
	struct rte_eth_conf conf = {0};
	int code = rte_eth_dev_configure(port, 1, 1, &conf);

	if (code == 0)
		code = rte_eth_rx_queue_setup(port, 0, DESCRIPTORS, SOCKET_ID_ANY, NULL, pool);
	if (code == 0)
		code = rte_eth_tx_queue_setup(port, 0, DESCRIPTORS, SOCKET_ID_ANY, NULL);
	if (code == 0)
		code = rte_eth_dev_start(port);
	if (code != 0)
		fail("a port cannot be set up", code);
}

static void open_ports(int argc, char **argv)
{
	if (rte_eal_init(argc, argv) < 0)
		fail("rte_eal_init failed", -rte_errno);
	if (rte_eth_dev_count_avail() != PORTS)
		fail("give two --vdev", -EINVAL);
	pool = rte_pktmbuf_pool_create("meter", BUFFERS - 1, CACHE, 0, RTE_MBUF_DEFAULT_BUF_SIZE, SOCKET_ID_ANY);
	if (pool == NULL)
		fail("rte_pktmbuf_pool_create failed", -rte_errno);
	for (uint16_t port = 0; port < PORTS; port++)
		open_port(port);
}

static bool is_up(uint16_t port)
{
	struct rte_eth_link link = {0};

	return rte_eth_link_get_nowait(port, &link) == 0 && link.link_status == RTE_ETH_LINK_UP;
}

static void await_peers(void)
{
	for (int waited = 0; !is_up(0) || !is_up(1); waited++) {
		if (waited == PEERS_TIMEOUT_MS)
			fail("no forwarder came", -ETIMEDOUT);
		rte_delay_us_sleep(1000);
	}
}

/* The forwarder's thread goes before all others of its session on its CPU, which are the bench's own: the meter, a compiler,
 * the page. Other sessions' share stays what it was where the kernel groups threads by session. */
static void prefer(const char *path)
{
	int thread;

	if (sscanf(path, "/proc/%*d/task/%d/", &thread) != 1)
		fail("not a thread's schedstat", -EINVAL);
	if (setpriority(PRIO_PROCESS, (id_t)thread, LEAST_NICE) != 0)
		fail("the forwarder's thread cannot be given priority; run it as root", -errno);
}

static void watch(const char *path)
{
	if (schedstat >= 0)
		close(schedstat);
	schedstat = open(path, O_RDONLY | O_CLOEXEC);
	if (schedstat < 0)
		fail("schedstat cannot be read", -errno);
}

int main(int argc, char **argv)
{
	char line[256];

	open_ports(argc, argv);
	hz = rte_get_tsc_hz();
	write_template();
	printf("ready\n");
	fflush(stdout);
	while (fgets(line, sizeof(line), stdin) != NULL) {
		double rate;
		unsigned long ms;
		unsigned long stall_ns;
		char path[200];
		if (sscanf(line, "run %lf %lu %lu %199s", &rate, &ms, &stall_ns, path) != 4 || rate <= 0 || ms < 1)
			fail("no such order", -EINVAL);
		prefer(path);
		watch(path);
		await_peers();
		struct run run = measure(rate, ms, stall_ns);
		report(&run);
	}
	for (uint16_t port = 0; port < PORTS; port++) {
		rte_eth_dev_stop(port);
		rte_eth_dev_close(port);
	}
	rte_eal_cleanup();
	return 0;
}
