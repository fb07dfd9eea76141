/* Shared by the files of the program `fabric`: see fabric.c for what it does and what it says on the wire. */
#ifndef FABRIC_TWIN_H
#define FABRIC_TWIN_H

#include <stdint.h>
#include <stdnoreturn.h>
#include <sys/types.h>

#include <rdma/fabric.h>
#include <rdma/fi_atomic.h>
#include <rdma/fi_cm.h>
#include <rdma/fi_domain.h>
#include <rdma/fi_endpoint.h>
#include <rdma/fi_errno.h>
#include <rdma/fi_rma.h>
#include <rdma/fi_tagged.h>

#define CACHE_LINE 64
#define MAX_SIZES 64
#define BATCH 64

/* Of a loop that ends with time: so often it asks for it, since asking takes as long as a small message. */
#define TURNS 16

/* Of the remote CQ data of a message without bytes: this side sends no more; the other bits are how much it has sent. */
#define END_OF_RUN ((uint64_t)1 << 63)

/* At the end of a verified run: how many messages or operations were right. */
#define END_BYTES 8

enum wait_mode { WAIT_SPIN, WAIT_FD, WAIT_YIELD };

struct options {
	const char *role, *provider;
	const char *listen, *connect; /* one of them: host:port, or a name of shm */
	const char *name;             /* own name of a client on shm */
	enum wait_mode wait;
	int is_usual, is_ordered;
	size_t sizes[MAX_SIZES];
	int size_count;
	uint64_t count, bytes, seed;
	size_t window;
	int ms, warm_up_ms, timeout_s, cpu;
};

struct fabric {
	const struct options *options;
	struct fi_info *info;
	struct fid_fabric *fabric;
	struct fid_domain *domain;
	struct fid_eq *events;
	struct fid_pep *listener;
	struct fid_ep *endpoint;
	struct fid_av *addresses;
	struct fid_cq *receives, *sends; /* may be the same */
	fi_addr_t peer;
	ssize_t inject_bytes; /* most bytes that are sent with fi_inject; -1 for none */
	int wait_fd;
	uint64_t idle_polls;
	double idle_since_s;
};

/* What an endpoint is opened for. */
struct purpose {
	uint64_t caps;
	int is_delivered;   /* each operation has a completion, when the peer's memory has it */
	int has_two_queues; /* completions of what is sent apart from those of what comes */
};

/* A region that a peer may read and write: as it stands in a target's first message, in little endian. */
struct region {
	uint64_t address, key, length;
};

/* fabric.c */
noreturn void die(const char *format, ...) __attribute__((format(printf, 1, 2)));
noreturn void refuse(const char *format, ...) __attribute__((format(printf, 1, 2)));
void require(long status, const char *call);

/* open.c */
void open_fabric(struct fabric *fabric, const struct options *options, const struct purpose *purpose);
void let_client_in(struct fabric *fabric);
void close_fabric(struct fabric *fabric);
int is_server(const struct options *options);

/* address.c */
void shm_address(const char *name, char *to, size_t room);
void split_address(const char *text, char *host, size_t room, const char **port);
void meet(struct fabric *fabric, void *buffer, size_t room, void *context);

/* wait.c */
double cpu_seconds(void);
uint64_t now_ns(void);
void progress(struct fabric *fabric);
int poll_queue(struct fabric *fabric, struct fid_cq *queue, struct fi_cq_data_entry *entries, int most);
int await(struct fabric *fabric, struct fid_cq *queue, struct fi_cq_data_entry *entries, int most);
void idle(struct fabric *fabric);

/* post.c */
void post_receive(struct fabric *fabric, void *buffer, size_t bytes, void *context);
void post_send(struct fabric *fabric, const void *buffer, size_t bytes);
void send_control(struct fabric *fabric, uint64_t data);
void send_last_end(struct fabric *fabric);
void end_run(struct fabric *fabric);
void send_whole(struct fabric *fabric, const void *buffer, size_t bytes);

/* memory.c */
uint8_t *memory_of(size_t bytes);
void put_u64(uint8_t *at, uint64_t value);
uint64_t get_u64(const uint8_t *at);
void fill_pattern(uint8_t *to, size_t bytes, uint64_t seed, uint64_t number);
long find_difference(const uint8_t *bytes, size_t length, uint64_t seed, uint64_t number);
uint64_t checksum(const uint8_t *bytes, size_t length);

/* slice.c: a slice runs for a time, or until so many operations are done, and says how many there were. */
typedef uint64_t (*slice_function)(struct fabric *fabric, uint64_t ns, uint64_t operations);
void run_slices(struct fabric *fabric, slice_function slice, size_t bytes);

/* region.c */
uint64_t region_caps(const struct options *options);
void open_region_messages(struct fabric *fabric, const struct options *options, struct purpose *purpose);
struct region receive_region(struct fabric *fabric);
uint64_t ask_checksum(struct fabric *fabric, uint64_t operations);

/* echo.c */
void require_pattern(const struct options *options, const uint8_t *at, size_t bytes, size_t due, uint64_t number);
void exchange_counts(struct fabric *fabric, uint64_t own);
void print_verified(const struct options *options, uint64_t messages, uint64_t bytes);

/* The roles, each with what it returns to the shell. */
int run_ping(const struct options *options);
int run_pong(const struct options *options);
int run_stream(const struct options *options);
int run_target(const struct options *options);
int run_rma(const struct options *options);
int run_echo(const struct options *options);
int run_tagged(const struct options *options);
int run_verified_rma(const struct options *options);

#endif
