/*
 * The shim between Linerate and libfabric: functions that Java can call by address.
 *
 * It re-exports what libfabric defines static inline, turns structs into flat arrays and flat
 * arguments into structs, and reports the layout and version that it was compiled with. It decides
 * nothing and remembers nothing. Failures are negative values of fi_errno.h; fi_strerror() names
 * them.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <rdma/fabric.h>
#include <rdma/fi_atomic.h>
#include <rdma/fi_cm.h>
#include <rdma/fi_domain.h>
#include <rdma/fi_endpoint.h>
#include <rdma/fi_eq.h>
#include <rdma/fi_errno.h>
#include <rdma/fi_rma.h>
#include <rdma/fi_tagged.h>

#define EXPORT __attribute__((visibility("default")))

/* Segments of one message at most. */
#define SEGMENTS 8

/* What a descriptor asks for: the order of the Java enum Operation. */
enum {
	SEND, RECEIVE, TAGGED_SEND, TAGGED_RECEIVE, WRITE, READ, ATOMIC, FETCH, COMPARE
};

/*
 * A descriptor: what is asked for, in memory that Java writes by the constants of WorkLayout. Its
 * address is the context of the operation, so that a completion tells which descriptor it ends.
 */
struct work {
	struct fi_context2 context; /* the provider's while the descriptor is posted */
	uint32_t operation, segments;
	uint64_t flags, peer, tag, ignored_bits, data;
	uint64_t remote_address, remote_key;
	uint32_t datatype, atomic;
	uint64_t elements; /* of an atomic operation */
	uint64_t id; /* Java's own */
	struct iovec iov[SEGMENTS];
	void *descriptors[SEGMENTS]; /* of the memory regions of the segments */
	/* Of atomics: where the result goes, and what is compared with. */
	void *result, *result_descriptor;
	void *compare, *compare_descriptor;
};

/* ---- which providers there are ---- */

/* What is asked of a provider; Java's class InfoRequest writes it. Texts may be null. */
struct request {
	const char *provider, *node, *service;
	uint64_t flags; /* FI_SOURCE for an address of this side */
	uint64_t caps, endpoint_type, mr_mode;
	uint64_t rx_size, tx_size;
	uint64_t source_length;
	uint8_t source[256];
};

EXPORT int lrf_getinfo(const struct request *request, struct fi_info **list)
{
	struct fi_info *hints = fi_allocinfo();
	int result;

	if (!hints)
		return -FI_ENOMEM;
	if (request->provider)
		hints->fabric_attr->prov_name = strdup(request->provider);
	hints->caps = request->caps;
	hints->mode = FI_CONTEXT | FI_CONTEXT2;
	hints->ep_attr->type = (enum fi_ep_type)request->endpoint_type;
	hints->domain_attr->mr_mode = (int)request->mr_mode;
	hints->domain_attr->threading = FI_THREAD_DOMAIN;
	hints->rx_attr->size = request->rx_size;
	hints->tx_attr->size = request->tx_size;
	if (request->source_length && request->source_length <= sizeof(request->source)) {
		hints->src_addr = malloc(request->source_length);
		if (hints->src_addr) {
			memcpy(hints->src_addr, request->source, request->source_length);
			hints->src_addrlen = request->source_length;
		}
	}
	result = fi_getinfo(FI_VERSION(FI_MAJOR_VERSION, FI_MINOR_VERSION), request->node,
			    request->service, request->flags, hints, list);
	fi_freeinfo(hints);
	return result;
}

EXPORT const void *lrf_destination(const struct fi_info *info)
{
	return info->dest_addr;
}

EXPORT struct fi_info *lrf_next(struct fi_info *info)
{
	return info->next;
}

/* Fills an array of Java's as far as it goes; returns how many values there are. */
static int fill(int64_t *values, int capacity, const int64_t *from, int count)
{
	if (capacity > 0)
		memcpy(values, from, (capacity < count ? capacity : count) * sizeof(*from));
	return count;
}

/* The order is that of the Java class ProviderInfo. Returns how many values there are. */
EXPORT int lrf_describe(const struct fi_info *info, int64_t *values, int capacity)
{
	const struct fi_link_attr *link = info->nic ? info->nic->link_attr : NULL;
	const int64_t described[] = {
		(intptr_t)info->fabric_attr->prov_name, (intptr_t)info->domain_attr->name,
		(int64_t)info->caps, info->ep_attr->type,
		(int64_t)info->ep_attr->max_msg_size, (int64_t)info->tx_attr->inject_size,
		(int64_t)info->tx_attr->size, (int64_t)info->rx_attr->size,
		(int64_t)info->tx_attr->iov_limit, (int64_t)info->rx_attr->iov_limit,
		info->domain_attr->mr_mode, (int64_t)info->domain_attr->mr_key_size,
		(int64_t)info->domain_attr->cq_data_size,
		(int64_t)info->domain_attr->max_ep_srx_ctx, (int64_t)info->domain_attr->cntr_cnt,
		link ? (int64_t)link->mtu : 0, link ? (int64_t)link->speed : 0,
		info->fabric_attr->prov_version,
		(int64_t)(info->src_addrlen ? info->src_addrlen : info->dest_addrlen),
		(int64_t)info->tx_attr->msg_order,
	};

	return fill(values, capacity, described, sizeof(described) / sizeof(described[0]));
}

/* ---- objects ---- */

EXPORT int lrf_fabric(struct fi_info *info, struct fid_fabric **fabric)
{
	return fi_fabric(info->fabric_attr, fabric, NULL);
}

EXPORT int lrf_domain(struct fid_fabric *fabric, struct fi_info *info, struct fid_domain **domain)
{
	return fi_domain(fabric, info, domain, NULL);
}

EXPORT int lrf_close(struct fid *object)
{
	return fi_close(object);
}

EXPORT int lrf_event_queue(struct fid_fabric *fabric, struct fid_eq **queue)
{
	struct fi_eq_attr attributes = {.wait_obj = FI_WAIT_FD};

	return fi_eq_open(fabric, &attributes, queue, NULL);
}

EXPORT int lrf_completion_queue(struct fid_domain *domain, size_t entries, int has_descriptor,
				struct fid_cq **queue)
{
	struct fi_cq_attr attributes = {
		.size = entries,
		.format = FI_CQ_FORMAT_TAGGED,
		.wait_obj = has_descriptor ? FI_WAIT_FD : FI_WAIT_NONE,
	};

	return fi_cq_open(domain, &attributes, queue, NULL);
}

EXPORT int lrf_counter(struct fid_domain *domain, struct fid_cntr **counter)
{
	struct fi_cntr_attr attributes = {.events = FI_CNTR_EVENTS_COMP};

	return fi_cntr_open(domain, &attributes, counter, NULL);
}

EXPORT uint64_t lrf_counter_read(struct fid_cntr *counter)
{
	return fi_cntr_read(counter);
}

EXPORT uint64_t lrf_counter_errors(struct fid_cntr *counter)
{
	return fi_cntr_readerr(counter);
}

EXPORT int lrf_address_vector(struct fid_domain *domain, size_t peers, struct fid_av **vector)
{
	struct fi_av_attr attributes = {.type = FI_AV_TABLE, .count = peers};

	return fi_av_open(domain, &attributes, vector, NULL);
}

/* As many bytes of an address as the vector's format has. */
EXPORT int lrf_peer_insert(struct fid_av *vector, const void *address, fi_addr_t *peer)
{
	int inserted = fi_av_insert(vector, address, 1, peer, 0, NULL);

	return inserted == 1 ? 0 : inserted < 0 ? inserted : -FI_EADDRNOTAVAIL;
}

EXPORT int lrf_peer_remove(struct fid_av *vector, fi_addr_t peer)
{
	return fi_av_remove(vector, &peer, 1, 0);
}

/* `id` is Java's own; events tell it. */
EXPORT int lrf_endpoint(struct fid_domain *domain, struct fi_info *info, uintptr_t id,
			struct fid_ep **endpoint)
{
	return fi_endpoint(domain, info, endpoint, (void *)id);
}

EXPORT int lrf_shared_receive(struct fid_domain *domain, struct fi_info *info,
			      struct fid_ep **context)
{
	return fi_srx_context(domain, info->rx_attr, context, NULL);
}

/* The endpoint of an address vector, a queue, a counter or a shared receive context. */
EXPORT int lrf_bind(struct fid_ep *endpoint, struct fid *object, uint64_t flags)
{
	return fi_ep_bind(endpoint, object, flags);
}

EXPORT int lrf_enable(struct fid_ep *endpoint)
{
	return fi_enable(endpoint);
}

EXPORT int lrf_option(struct fid_ep *endpoint, int option, size_t value)
{
	return fi_setopt(&endpoint->fid, FI_OPT_ENDPOINT, option, &value, sizeof(value));
}

/* ---- connections ---- */

EXPORT int lrf_passive(struct fid_fabric *fabric, struct fi_info *info, struct fid_eq *queue,
		       uintptr_t id, struct fid_pep **endpoint)
{
	int result = fi_passive_ep(fabric, info, endpoint, (void *)id);

	if (result)
		return result;
	result = fi_pep_bind(*endpoint, &queue->fid, 0);
	if (!result)
		result = fi_listen(*endpoint);
	if (result)
		fi_close(&(*endpoint)->fid);
	return result;
}

EXPORT int lrf_connect(struct fid_ep *endpoint, const struct fi_info *info, const void *data,
		       size_t length)
{
	return fi_connect(endpoint, info->dest_addr, data, length);
}

EXPORT int lrf_accept(struct fid_ep *endpoint, const void *data, size_t length)
{
	return fi_accept(endpoint, data, length);
}

EXPORT int lrf_reject(struct fid_pep *endpoint, const struct fi_info *info, const void *data,
		      size_t length)
{
	return fi_reject(endpoint, info->handle, data, length);
}

EXPORT int lrf_shutdown(struct fid_ep *endpoint)
{
	return fi_shutdown(endpoint, 0);
}

/* Before it is enabled. */
EXPORT int lrf_set_name(struct fid *endpoint, void *address, size_t length)
{
	return fi_setname(endpoint, address, length);
}

/* Returns the length of the address, which is cut to the capacity. */
EXPORT int64_t lrf_name(struct fid *endpoint, void *address, size_t capacity)
{
	size_t length = capacity;
	int result = fi_getname(endpoint, address, &length);

	return result && result != -FI_ETOOSMALL ? result : (int64_t)length;
}

/* What has happened to a connection; Java's class EventQueue reads it. */
struct event {
	uint64_t id; /* of the endpoint */
	struct fi_info *info; /* of a request for a connection */
	int64_t error, provider_error;
	uint64_t length;
	uint8_t data[256];
};

/* Returns the event's number (enum of fi_eq.h), -FI_EAGAIN if there is none, or -FI_EAVAIL for an error. */
EXPORT int64_t lrf_event(struct fid_eq *queue, struct event *event)
{
	union {
		struct fi_eq_cm_entry entry;
		uint8_t space[sizeof(struct fi_eq_cm_entry) + sizeof(event->data)];
	} read;
	struct fi_eq_err_entry error = {0};
	uint32_t number = 0;
	ssize_t length = fi_eq_read(queue, &number, &read, sizeof(read), 0);
	size_t data;

	if (length == -FI_EAVAIL) {
		error.err_data = event->data;
		error.err_data_size = sizeof(event->data);
		length = fi_eq_readerr(queue, &error, 0);
		if (length < 0)
			return length;
		event->id = error.fid ? (uintptr_t)error.fid->context : 0;
		event->error = error.err;
		event->provider_error = error.prov_errno;
		event->length = error.err_data ? error.err_data_size : 0;
		if (event->length > sizeof(event->data))
			event->length = sizeof(event->data);
		return -FI_EAVAIL;
	}
	if (length < 0)
		return length;
	data = (size_t)length > sizeof(read.entry) ? (size_t)length - sizeof(read.entry) : 0;
	event->id = read.entry.fid ? (uintptr_t)read.entry.fid->context : 0;
	event->info = number == FI_CONNREQ ? read.entry.info : NULL;
	event->error = 0;
	event->length = data;
	memcpy(event->data, read.space + sizeof(read.entry), data);
	return number;
}

/* ---- memory ---- */

EXPORT int lrf_register(struct fid_domain *domain, const void *memory, size_t length,
			uint64_t access, uint64_t key, struct fid_mr **region)
{
	return fi_mr_reg(domain, memory, length, access, 0, key, 0, region, NULL);
}

EXPORT uint64_t lrf_region_key(struct fid_mr *region)
{
	return fi_mr_key(region);
}

EXPORT void *lrf_region_descriptor(struct fid_mr *region)
{
	return fi_mr_desc(region);
}

/* ---- the data path ---- */

static ssize_t post_atomic(struct fid_ep *endpoint, struct work *work)
{
	struct fi_ioc operand = {work->iov[0].iov_base, work->elements};
	struct fi_ioc result = {work->result, operand.count};
	struct fi_ioc compare = {work->compare, operand.count};
	struct fi_rma_ioc target = {work->remote_address, operand.count, work->remote_key};
	struct fi_msg_atomic message = {
		.msg_iov = &operand, .desc = work->descriptors, .iov_count = 1,
		.addr = work->peer, .rma_iov = &target, .rma_iov_count = 1,
		.datatype = (enum fi_datatype)work->datatype, .op = (enum fi_op)work->atomic,
		.context = work, .data = work->data,
	};

	switch (work->operation) {
	case ATOMIC:
		return fi_atomicmsg(endpoint, &message, work->flags);
	case FETCH:
		return fi_fetch_atomicmsg(endpoint, &message, &result, &work->result_descriptor, 1,
					  work->flags);
	default:
		return fi_compare_atomicmsg(endpoint, &message, &compare, &work->compare_descriptor,
					    1, &result, &work->result_descriptor, 1, work->flags);
	}
}

static ssize_t post_remote(struct fid_ep *endpoint, struct work *work)
{
	size_t length = 0;

	for (uint32_t i = 0; i < work->segments; i++)
		length += work->iov[i].iov_len;

	struct fi_rma_iov target = {work->remote_address, length, work->remote_key};
	struct fi_msg_rma message = {
		.msg_iov = work->iov, .desc = work->descriptors, .iov_count = work->segments,
		.addr = work->peer, .rma_iov = &target, .rma_iov_count = 1,
		.context = work, .data = work->data,
	};

	return work->operation == WRITE ? fi_writemsg(endpoint, &message, work->flags)
					: fi_readmsg(endpoint, &message, work->flags);
}

static ssize_t post_tagged(struct fid_ep *endpoint, struct work *work)
{
	struct fi_msg_tagged message = {
		.msg_iov = work->iov, .desc = work->descriptors, .iov_count = work->segments,
		.addr = work->peer, .tag = work->tag, .ignore = work->ignored_bits,
		.context = work, .data = work->data,
	};

	return work->operation == TAGGED_SEND ? fi_tsendmsg(endpoint, &message, work->flags)
					      : fi_trecvmsg(endpoint, &message, work->flags);
}

/* Posts a descriptor: 0, -FI_EAGAIN where the queue is full, or another failure. */
EXPORT int64_t lrf_post(struct fid_ep *endpoint, struct work *work)
{
	struct fi_msg message = {
		.msg_iov = work->iov, .desc = work->descriptors, .iov_count = work->segments,
		.addr = work->peer, .context = work, .data = work->data,
	};

	switch (work->operation) {
	case SEND:
		return fi_sendmsg(endpoint, &message, work->flags);
	case RECEIVE:
		return fi_recvmsg(endpoint, &message, work->flags);
	case TAGGED_SEND:
	case TAGGED_RECEIVE:
		return post_tagged(endpoint, work);
	case WRITE:
	case READ:
		return post_remote(endpoint, work);
	default:
		return post_atomic(endpoint, work);
	}
}

/* Sends what is at most the provider's inject size: the memory is free again, and nothing completes. */
EXPORT int64_t lrf_inject(struct fid_ep *endpoint, const void *memory, size_t length,
			  fi_addr_t peer)
{
	return fi_inject(endpoint, memory, length, peer);
}

EXPORT int64_t lrf_tagged_inject(struct fid_ep *endpoint, const void *memory, size_t length,
				 fi_addr_t peer, uint64_t tag)
{
	return fi_tinject(endpoint, memory, length, peer, tag);
}

EXPORT int64_t lrf_cancel(struct fid_ep *endpoint, struct work *work)
{
	return fi_cancel(&endpoint->fid, work);
}

/* An operation that has failed; Java's class FabricError reads it. */
struct failure {
	struct work *work;
	uint64_t flags;
	int64_t error, provider_error;
	uint64_t length;
	uint64_t excess; /* bytes that did not fit */
	uint64_t tag;
	/* Set by Java: whether to ask the provider; rxm asks an endpoint of the queue, which may be closed. */
	uint64_t wants_text;
	char text[128];
};

static int64_t read_failure(struct fid_cq *queue, struct failure *failure)
{
	struct fi_cq_err_entry entry = {0};
	ssize_t result = fi_cq_readerr(queue, &entry, 0);
	const char *text = NULL;

	if (result < 0)
		return result;
	failure->work = entry.op_context;
	failure->flags = entry.flags;
	failure->error = entry.err;
	failure->provider_error = entry.prov_errno;
	failure->length = entry.len;
	failure->excess = entry.olen;
	failure->tag = entry.tag;
	failure->text[0] = 0;
	if (failure->wants_text)
		text = fi_cq_strerror(queue, entry.prov_errno, entry.err_data, NULL, 0);
	if (text)
		strncat(failure->text, text, sizeof(failure->text) - 1);
	return -FI_EAVAIL;
}

/* Descriptors that are posted with the next poll: Java's class PostBatch writes them. */
struct batch {
	int64_t count;
	struct {
		struct fid_ep *endpoint;
		struct work *work;
	} posts[];
};

/* Those from the first on that was not taken stay, at the beginning. */
static void post_batch(struct batch *batch)
{
	int64_t taken = 0;

	while (taken < batch->count && !lrf_post(batch->posts[taken].endpoint, batch->posts[taken].work))
		taken++;
	batch->count -= taken;
	memmove(batch->posts, batch->posts + taken, batch->count * sizeof(batch->posts[0]));
}

/*
 * Posts a batch, then reads completions: how many, 0 for none, -FI_EAVAIL when the next is the failure that was filled in.
 * Looks `rounds` times (upper half of `limits`) before it returns without any, and reads as many as the lower half says.
 * `sources` may be null; otherwise it gets who sent each message, where that is known.
 */
EXPORT int64_t lrf_poll(struct fid_cq *queue, struct fi_cq_tagged_entry *entries, uint64_t limits,
			fi_addr_t *sources, struct failure *failure, struct batch *batch)
{
	int64_t rounds = limits >> 32;
	size_t capacity = limits & UINT32_MAX;
	ssize_t count;

	if (batch->count)
		post_batch(batch);
	do {
		count = sources ? fi_cq_readfrom(queue, entries, capacity, sources)
				: fi_cq_read(queue, entries, capacity);
	} while (count == -FI_EAGAIN && --rounds > 0);
	if (count == -FI_EAVAIL)
		return read_failure(queue, failure);
	return count == -FI_EAGAIN ? 0 : count;
}

/* ---- waiting ---- */

/* The file descriptor that becomes readable when a queue has something. */
EXPORT int lrf_descriptor(struct fid *queue)
{
	int descriptor = -1;
	int result = fi_control(queue, FI_GETWAIT, &descriptor);

	return result ? result : descriptor;
}

/* 0 where the descriptor may be slept on; -FI_EAGAIN where the queue has to be read first. */
EXPORT int lrf_may_wait(struct fid_fabric *fabric, struct fid *queue)
{
	return fi_trywait(fabric, &queue, 1);
}

/* ---- atomics ---- */

/* How many elements of a type one atomic operation may have; 0 where the provider has none such. */
EXPORT int64_t lrf_atomic_limit(struct fid_ep *endpoint, int operation, int datatype, int atomic)
{
	size_t count = 0;
	int result;

	switch (operation) {
	case ATOMIC:
		result = fi_atomicvalid(endpoint, datatype, atomic, &count);
		break;
	case FETCH:
		result = fi_fetch_atomicvalid(endpoint, datatype, atomic, &count);
		break;
	default:
		result = fi_compare_atomicvalid(endpoint, datatype, atomic, &count);
	}
	return result ? 0 : (int64_t)count;
}

/* ---- what this was compiled with ---- */

/* The order is that of the Java class FabricLayout. Returns how many values there are. */
EXPORT int lrf_layout(int64_t *values, int capacity)
{
	const int64_t layout[] = {
		FI_MAJOR_VERSION, FI_MINOR_VERSION,
		sizeof(struct work), SEGMENTS,
		offsetof(struct work, operation), offsetof(struct work, segments), offsetof(struct work, flags),
		offsetof(struct work, peer), offsetof(struct work, tag), offsetof(struct work, ignored_bits),
		offsetof(struct work, data), offsetof(struct work, remote_address),
		offsetof(struct work, remote_key), offsetof(struct work, datatype),
		offsetof(struct work, atomic), offsetof(struct work, elements), offsetof(struct work, id),
		offsetof(struct work, iov), offsetof(struct work, descriptors),
		offsetof(struct work, result), offsetof(struct work, result_descriptor),
		offsetof(struct work, compare), offsetof(struct work, compare_descriptor),
		sizeof(struct iovec), offsetof(struct iovec, iov_len),
		sizeof(struct fi_cq_tagged_entry), offsetof(struct fi_cq_tagged_entry, op_context),
		offsetof(struct fi_cq_tagged_entry, flags), offsetof(struct fi_cq_tagged_entry, len),
		offsetof(struct fi_cq_tagged_entry, buf), offsetof(struct fi_cq_tagged_entry, data),
		offsetof(struct fi_cq_tagged_entry, tag),
		sizeof(struct request), offsetof(struct request, source),
		sizeof(struct event), offsetof(struct event, data),
		sizeof(struct failure), offsetof(struct failure, text),
		offsetof(struct batch, posts), sizeof(((struct batch *)0)->posts[0]),
	};

	return fill(values, capacity, layout, sizeof(layout) / sizeof(layout[0]));
}
