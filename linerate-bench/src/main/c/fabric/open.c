/* Opens an endpoint of any of the providers, with a connection where it has such, and closes it. */
#include "twin.h"

#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define CONNECT_TRIES 200
#define CONNECT_PAUSE_US 10000
#define EVENT_MS 100

int is_server(const struct options *options)
{
	return options->listen != NULL;
}

static int is_provider(const struct options *options, const char *name)
{
	return strcmp(options->provider, name) == 0;
}

static struct fi_info *hints(const struct options *options, const struct purpose *purpose)
{
	struct fi_info *hints = fi_allocinfo();

	if (hints == NULL)
		die("no memory: call=fi_allocinfo");
	hints->caps = FI_MSG | purpose->caps;
	hints->ep_attr->type = is_provider(options, "tcp") ? FI_EP_MSG : FI_EP_RDM;
	hints->domain_attr->threading = FI_THREAD_DOMAIN;
	hints->domain_attr->mr_mode = FI_MR_VIRT_ADDR | FI_MR_ALLOCATED | FI_MR_PROV_KEY;
	hints->tx_attr->op_flags = purpose->is_delivered ? FI_DELIVERY_COMPLETE | FI_COMPLETION : 0;
	hints->fabric_attr->prov_name = strdup(options->provider);
	return hints;
}

static struct fi_info *find(const struct options *options, const struct purpose *purpose)
{
	struct fi_info *wanted = hints(options, purpose), *found = NULL;
	const char *port = NULL;
	char host[NI_MAXHOST];
	int status;

	if (is_provider(options, "shm")) {
		status = fi_getinfo(FI_VERSION(1, 17), NULL, NULL, 0, wanted, &found);
	} else {
		split_address(is_server(options) ? options->listen : options->connect, host, sizeof(host), &port);
		status = fi_getinfo(FI_VERSION(1, 17), host, port, is_server(options) ? FI_SOURCE : 0, wanted, &found);
	}
	if (status != 0)
		die("no such provider: provider=%s, error=%s, role=%s; see fi_info -l for those that there are",
		    options->provider, fi_strerror(-status), options->role);
	fi_freeinfo(wanted);
	return found;
}

static void open_queues(struct fabric *fabric, const struct purpose *purpose)
{
	const struct options *options = fabric->options;
	struct fi_cq_attr attributes = {
		.size = 4096,
		.format = FI_CQ_FORMAT_DATA,
		.wait_obj = options->wait == WAIT_FD ? FI_WAIT_FD : FI_WAIT_NONE,
	};
	uint64_t selective = options->is_usual ? 0 : FI_SELECTIVE_COMPLETION;

	int status = fi_cq_open(fabric->domain, &attributes, &fabric->receives, NULL);

	if (status == 0 && options->wait == WAIT_FD)
		status = fi_control(&fabric->receives->fid, FI_GETWAIT, &fabric->wait_fd);
	if (status != 0 && options->wait == WAIT_FD)
		refuse("no file descriptor to wait on: provider=%s, error=%s; give --wait spin or yield", options->provider,
		       fi_strerror(-status));
	require(status, "fi_cq_open");
	fabric->sends = fabric->receives;
	if (options->is_usual || purpose->has_two_queues)
		require(fi_cq_open(fabric->domain, &attributes, &fabric->sends, NULL), "fi_cq_open");
	require(fi_ep_bind(fabric->endpoint, &fabric->receives->fid, FI_RECV), "fi_ep_bind");
	require(fi_ep_bind(fabric->endpoint, &fabric->sends->fid, FI_TRANSMIT | selective), "fi_ep_bind");
}

/* shm's memory has a name, which is to go however this ends. */
static const char *own_name;

static void remove_memory(void)
{
	shm_unlink(own_name);
}

/* Names it exactly so: a name given when it is opened would get the user's number and one of the endpoint behind it. */
static void set_name(struct fabric *fabric)
{
	char address[FI_NAME_MAX];

	own_name = is_server(fabric->options) ? fabric->options->listen : fabric->options->name;
	shm_address(own_name, address, sizeof(address));
	require(fi_setname(&fabric->endpoint->fid, address, strlen(address) + 1), "fi_setname");
	atexit(remove_memory);
}

static void open_endpoint(struct fabric *fabric, struct fi_info *info, const struct purpose *purpose)
{
	require(fi_domain(fabric->fabric, info, &fabric->domain, NULL), "fi_domain");
	require(fi_endpoint(fabric->domain, info, &fabric->endpoint, NULL), "fi_endpoint");
	open_queues(fabric, purpose);
	if (info->ep_attr->type == FI_EP_MSG) {
		require(fi_ep_bind(fabric->endpoint, &fabric->events->fid, 0), "fi_ep_bind");
	} else {
		struct fi_av_attr attributes = {.type = FI_AV_TABLE, .count = 2};

		require(fi_av_open(fabric->domain, &attributes, &fabric->addresses, NULL), "fi_av_open");
		require(fi_ep_bind(fabric->endpoint, &fabric->addresses->fid, 0), "fi_ep_bind");
	}
	if (is_provider(fabric->options, "shm"))
		set_name(fabric);
	require(fi_enable(fabric->endpoint), "fi_enable");
	fabric->inject_bytes = fabric->options->is_usual ? -1 : (ssize_t)info->tx_attr->inject_size;
}

/* The next event of a connection; -1 if the peer refused. */
static int await_event(struct fabric *fabric, uint32_t wanted, struct fi_eq_cm_entry *entry)
{
	for (int i = 0; i < fabric->options->timeout_s * 1000 / EVENT_MS; i++) {
		uint32_t event;
		ssize_t read = fi_eq_sread(fabric->events, &event, entry, sizeof(*entry), EVENT_MS, 0);

		if (read == -FI_EAVAIL) {
			struct fi_eq_err_entry error = {0};

			fi_eq_readerr(fabric->events, &error, 0);
			return -1;
		}
		if (read >= 0 && event == wanted)
			return 0;
	}
	die("no connection: provider=%s, seconds=%d; is the peer running?", fabric->options->provider,
	    fabric->options->timeout_s);
}

static void say_ready(void)
{
	puts("ready");
	fflush(stdout);
}

static void accept_client(struct fabric *fabric, const struct purpose *purpose)
{
	struct fi_eq_cm_entry entry;

	require(fi_passive_ep(fabric->fabric, fabric->info, &fabric->listener, NULL), "fi_passive_ep");
	require(fi_pep_bind(fabric->listener, &fabric->events->fid, 0), "fi_pep_bind");
	require(fi_listen(fabric->listener), "fi_listen");
	say_ready();
	if (await_event(fabric, FI_CONNREQ, &entry) != 0)
		die("no client: provider=%s", fabric->options->provider);
	open_endpoint(fabric, entry.info, purpose);
	fi_freeinfo(entry.info);
}

static void close_endpoint(struct fabric *fabric)
{
	require(fi_close(&fabric->endpoint->fid), "fi_close of the endpoint");
	if (fabric->sends != fabric->receives)
		require(fi_close(&fabric->sends->fid), "fi_close of the queue");
	require(fi_close(&fabric->receives->fid), "fi_close of the queue");
	if (fabric->addresses != NULL)
		require(fi_close(&fabric->addresses->fid), "fi_close of the addresses");
	require(fi_close(&fabric->domain->fid), "fi_close of the domain");
}

static void connect_server(struct fabric *fabric, const struct purpose *purpose)
{
	struct fi_eq_cm_entry entry;

	for (int i = 0; i < CONNECT_TRIES; i++) {
		open_endpoint(fabric, fabric->info, purpose);
		require(fi_connect(fabric->endpoint, fabric->info->dest_addr, NULL, 0), "fi_connect");
		if (await_event(fabric, FI_CONNECTED, &entry) == 0)
			return;
		close_endpoint(fabric);
		usleep(CONNECT_PAUSE_US);
	}
	die("no server: address=%s; start it first", fabric->options->connect);
}

/*
 * Opens an endpoint for a purpose. One with connections is not connected yet where it is the server's: it posts receives
 * first, and then calls let_client_in().
 */
void open_fabric(struct fabric *fabric, const struct options *options, const struct purpose *purpose)
{
	memset(fabric, 0, sizeof(*fabric));
	fabric->options = options;
	fabric->info = find(options, purpose);
	require(fi_fabric(fabric->info->fabric_attr, &fabric->fabric, NULL), "fi_fabric");
	if (fabric->info->ep_attr->type != FI_EP_MSG) {
		open_endpoint(fabric, fabric->info, purpose);
		return;
	}
	struct fi_eq_attr attributes = {.wait_obj = FI_WAIT_UNSPEC};

	require(fi_eq_open(fabric->fabric, &attributes, &fabric->events, NULL), "fi_eq_open");
	if (is_server(options))
		accept_client(fabric, purpose);
	else
		connect_server(fabric, purpose);
}

/* The client may send from now on: the server has posted its receives. */
void let_client_in(struct fabric *fabric)
{
	struct fi_eq_cm_entry entry;

	if (!is_server(fabric->options))
		return;
	if (fabric->addresses != NULL) {
		say_ready();
		return;
	}
	require(fi_accept(fabric->endpoint, NULL, 0), "fi_accept");
	if (await_event(fabric, FI_CONNECTED, &entry) != 0)
		die("client went away: provider=%s", fabric->options->provider);
}

void close_fabric(struct fabric *fabric)
{
	close_endpoint(fabric);
	if (fabric->listener != NULL)
		require(fi_close(&fabric->listener->fid), "fi_close of the listener");
	if (fabric->events != NULL)
		require(fi_close(&fabric->events->fid), "fi_close of the events");
	require(fi_close(&fabric->fabric->fid), "fi_close of the fabric");
	fi_freeinfo(fabric->info);
}
