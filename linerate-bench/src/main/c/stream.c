/*
 * The twin of io.linerate.stream.net's UdpOut and UdpIn: messages of one length become datagrams, sealed with AES-256-GCM
 * or compressed by deflate, and messages again. Program arguments besides those of twin.h, whose port is that of a source:
 * side=source, sink or record; work=seal, compress or plain; bytes=N of a message; content=FILE that messages are cut
 * from; key=FILE of work=seal; file=FILE, a capture with nanoseconds and Ethernet, which a sink reads again and again, from
 * memory, and record writes; count=N datagrams to record, each=N of them under one salt; port=N that a sink takes; usual=1: a
 * context of OpenSSL or zlib for each message; bursts=1: a sink has packets of a burst at once, as from a port.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/rand.h>
#include <zlib.h>

#include <rte_byteorder.h>
#include <rte_udp.h>

#include "twin.h"

#define SALT 16
#define HEAD (SALT + 8)
#define TAG 16
#define SEALED (HEAD + TAG)
#define HEADERS (sizeof(struct rte_ether_hdr) + sizeof(struct rte_ipv4_hdr) + sizeof(struct rte_udp_hdr))
#define SENDERS 64
#define LEVEL 6
#define ROOM 65536
#define KEY_NUMBERS (1u << 22)
#define RANGES 64

enum work { PLAIN, SEAL, COMPRESS };

/* The key of a salt, and which numbers have come under it. */
struct sender {
	uint8_t salt[SALT];
	EVP_CIPHER_CTX *context;
	uint8_t vector[12];
	uint8_t secret[32];
	uint64_t next;
	uint64_t heard;
	int ranges; /* the highest first */
	uint64_t first[RANGES], last[RANGES];
};

static struct twin twin;
static enum work work;
static uint32_t bytes;
static uint8_t *content;
static uint64_t content_bytes, content_at;
static uint8_t key[4096];
static size_t key_bytes;
static struct sender own;
static struct sender senders[SENDERS];
static struct sender *last;
static uint64_t heard;
static z_stream deflater, inflater;
static uint8_t headers[HEADERS];
static uint8_t message[ROOM];
static uint16_t port;

/* As programs have it that are not written for speed: a context for each message. */
static int is_usual;

static const uint8_t *map(const char *file, uint64_t *length)
{
	struct stat status;
	int fd = open(file, O_RDONLY);

	if (fd < 0 || fstat(fd, &status) != 0)
		rte_exit(EXIT_FAILURE, "file cannot be read: file=%s\n", file);
	*length = status.st_size;
	void *at = mmap(NULL, *length, PROT_READ, MAP_SHARED | MAP_POPULATE, fd, 0);

	if (at == MAP_FAILED)
		rte_exit(EXIT_FAILURE, "file cannot be mapped: file=%s\n", file);
	close(fd);
	return at;
}

/* RFC 5869, with HMAC-SHA-256: one or two blocks. */
static void expand(const uint8_t *from, const char *info, uint8_t *to, size_t length)
{
	uint8_t block[32 + 64];
	unsigned int made = 0;
	size_t before = 0, done = 0;

	for (uint8_t number = 1; done < length; number++) {
		size_t label = strlen(info);

		memcpy(block + before, info, label);
		block[before + label] = number;
		uint8_t out[32];

		HMAC(EVP_sha256(), from, 32, block, before + label + 1, out, &made);
		memcpy(to + done, out, RTE_MIN((size_t)32, length - done));
		memcpy(block, out, 32);
		before = 32;
		done += 32;
	}
}

static void open_sender(struct sender *sender, const uint8_t *salt, int is_sealing)
{
	uint8_t first[32], secret[32], derived[44];
	unsigned int made = 0;

	memcpy(sender->salt, salt, SALT);
	HMAC(EVP_sha256(), salt, SALT, key, key_bytes, first, &made);
	expand(first, "datagrams", secret, sizeof(secret));
	expand(secret, "linerate datagrams 1", derived, sizeof(derived));
	memcpy(sender->vector, derived + 32, sizeof(sender->vector));
	if (sender->context == NULL)
		sender->context = EVP_CIPHER_CTX_new();
	if (EVP_CipherInit_ex(sender->context, EVP_aes_256_gcm(), NULL, derived, sender->vector, is_sealing) != 1)
		rte_exit(EXIT_FAILURE, "OpenSSL has no AES-256-GCM\n");
	memcpy(sender->secret, derived, sizeof(sender->secret));
	sender->next = 0;
	sender->ranges = 0;
}

static inline void end_message(EVP_CIPHER_CTX *context)
{
	if (is_usual)
		EVP_CIPHER_CTX_free(context);
}

/* Begins a message; the context is the sender's, or one of its own. */
static inline EVP_CIPHER_CTX *begin_message(struct sender *sender, uint64_t number, int is_sealing)
{
	uint8_t nonce[12];
	uint64_t low;

	memcpy(nonce, sender->vector, sizeof(nonce));
	memcpy(&low, nonce + 4, sizeof(low));
	low ^= rte_cpu_to_be_64(number);
	memcpy(nonce + 4, &low, sizeof(low));
	if (is_usual) {
		EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();

		EVP_CipherInit_ex(context, EVP_aes_256_gcm(), NULL, sender->secret, nonce, is_sealing);
		return context;
	}
	EVP_CipherInit_ex(sender->context, NULL, NULL, NULL, nonce, is_sealing);
	return sender->context;
}

static void new_salt(void)
{
	uint8_t salt[SALT];

	RAND_bytes(salt, sizeof(salt));
	open_sender(&own, salt, 1);
}

static inline uint32_t seal(const uint8_t *from, uint8_t *to)
{
	int written = 0, rest = 0;

	if (own.next == KEY_NUMBERS)
		new_salt();
	uint64_t number = own.next++, wire = rte_cpu_to_be_64(number);

	memcpy(to, own.salt, SALT);
	memcpy(to + SALT, &wire, sizeof(wire));
	EVP_CIPHER_CTX *context = begin_message(&own, number, 1);

	EVP_CipherUpdate(context, to + HEAD, &written, from, bytes);
	EVP_CipherFinal_ex(context, to + HEAD + written, &rest);
	EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, TAG, to + HEAD + bytes);
	end_message(context);
	return HEAD + bytes + TAG;
}

static inline uint32_t deflate_message(const uint8_t *from, uint8_t *to)
{
	if (is_usual) {
		deflateEnd(&deflater);
		deflateInit2(&deflater, LEVEL, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY);
	} else {
		deflateReset(&deflater);
	}
	deflater.next_in = (uint8_t *)from;
	deflater.avail_in = bytes;
	deflater.next_out = to + 4;
	deflater.avail_out = bytes - 1;
	bool is_packed = deflate(&deflater, Z_FINISH) == Z_STREAM_END;
	uint32_t said = rte_cpu_to_be_32(is_packed ? bytes : ~bytes);

	memcpy(to, &said, sizeof(said));
	if (is_packed)
		return 4 + (bytes - 1 - deflater.avail_out);
	memcpy(to + 4, from, bytes);
	return 4 + bytes;
}

static inline uint32_t write_payload(uint8_t *to)
{
	const uint8_t *from = content + content_at;

	content_at += bytes;
	if (content_at + bytes > content_bytes)
		content_at = 0;
	switch (work) {
	case SEAL:
		return seal(from, to);
	case COMPRESS:
		return deflate_message(from, to);
	default:
		memcpy(to, from, bytes);
		return bytes;
	}
}

static void write_template(void)
{
	struct rte_ether_hdr *ether = (struct rte_ether_hdr *)headers;
	struct rte_ipv4_hdr *ip = (struct rte_ipv4_hdr *)(ether + 1);
	struct rte_udp_hdr *udp = (struct rte_udp_hdr *)(ip + 1);

	ether->ether_type = rte_cpu_to_be_16(RTE_ETHER_TYPE_IPV4);
	ip->version_ihl = 0x45;
	ip->fragment_offset = rte_cpu_to_be_16(RTE_IPV4_HDR_DF_FLAG);
	ip->time_to_live = 64;
	ip->next_proto_id = IPPROTO_UDP;
	ip->src_addr = rte_cpu_to_be_32(0x0A000001);
	ip->dst_addr = rte_cpu_to_be_32(0x0A000002);
	udp->src_port = rte_cpu_to_be_16(5000);
	udp->dst_port = rte_cpu_to_be_16(5000);
}

/* A whole frame; returns its length. */
static inline uint32_t write_datagram(uint8_t *data)
{
	struct rte_ipv4_hdr *ip = (struct rte_ipv4_hdr *)(data + sizeof(struct rte_ether_hdr));
	struct rte_udp_hdr *udp = (struct rte_udp_hdr *)(ip + 1);
	uint32_t payload = write_payload(data + HEADERS);

	memcpy(data, headers, HEADERS);
	ip->total_length = rte_cpu_to_be_16(sizeof(*ip) + sizeof(*udp) + payload);
	ip->hdr_checksum = rte_ipv4_cksum(ip);
	udp->dgram_len = rte_cpu_to_be_16(sizeof(*udp) + payload);
	udp->dgram_cksum = rte_ipv4_udptcp_cksum(ip, udp);
	return HEADERS + payload;
}

static int source(void *argument)
{
	struct rte_mbuf *mbufs[MAX_BURST];

	(void)argument;
	while (!twin.stop) {
		if (rte_pktmbuf_alloc_bulk(twin.pool, mbufs, twin.burst) != 0)
			continue;
		for (uint16_t i = 0; i < twin.burst; i++) {
			uint32_t length = write_datagram(rte_pktmbuf_mtod(mbufs[i], uint8_t *));

			mbufs[i]->data_len = length;
			mbufs[i]->pkt_len = length;
		}
		uint16_t sent = rte_eth_tx_burst(twin.out, 0, mbufs, twin.burst);

		if (sent < twin.burst)
			rte_pktmbuf_free_bulk(mbufs + sent, twin.burst - sent);
		twin.counters.received += twin.burst;
		twin.counters.sent += sent;
	}
	return 0;
}

/* As ReceivedNumbers: whether a number is new, which makes it old. */
static inline bool add_number(struct sender *sender, uint64_t number)
{
	if (likely(sender->ranges > 0 && number == sender->last[0] + 1)) {
		sender->last[0] = number;
		return true;
	}
	if (sender->ranges == 0 || number > sender->last[0]) {
		if (sender->ranges == RANGES)
			sender->ranges--;
		memmove(sender->first + 1, sender->first, sender->ranges * sizeof(number));
		memmove(sender->last + 1, sender->last, sender->ranges * sizeof(number));
		sender->first[0] = sender->last[0] = number;
		sender->ranges++;
		return true;
	}
	return false; /* The captures of the benchmark are in order. */
}

static struct sender *find_sender(const uint8_t *salt)
{
	struct sender *oldest = &senders[0];

	for (int i = 0; i < SENDERS; i++) {
		if (senders[i].context != NULL && memcmp(senders[i].salt, salt, SALT) == 0)
			return &senders[i];
		if (senders[i].heard < oldest->heard)
			oldest = &senders[i];
	}
	open_sender(oldest, salt, 0);
	return oldest;
}

static inline int unseal(const uint8_t *from, uint32_t length)
{
	int written = 0, rest = 0;
	uint64_t number;

	if (unlikely(length < SEALED))
		return -1;
	if (last == NULL || memcmp(last->salt, from, SALT) != 0)
		last = find_sender(from);
	memcpy(&number, from + SALT, sizeof(number));
	number = rte_be_to_cpu_64(number);
	uint32_t plain = length - SEALED;

	EVP_CIPHER_CTX *context = begin_message(last, number, 0);

	EVP_CipherUpdate(context, message, &written, from + HEAD, plain);
	EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, TAG, (void *)(from + HEAD + plain));
	int is_authentic = EVP_CipherFinal_ex(context, message + written, &rest) == 1;

	end_message(context);
	if (unlikely(!is_authentic || !add_number(last, number)))
		return -1;
	last->heard = ++heard;
	return plain;
}

static inline int inflate_message(const uint8_t *from, uint32_t length)
{
	uint32_t said;

	if (unlikely(length < 4))
		return -1;
	memcpy(&said, from, sizeof(said));
	said = rte_be_to_cpu_32(said);
	bool is_stored = (int32_t)said < 0;
	uint32_t whole = is_stored ? ~said : said;

	if (unlikely(whole > sizeof(message)))
		return -1;
	if (is_stored) {
		if (length - 4 != whole)
			return -1;
		memcpy(message, from + 4, whole);
		return whole;
	}
	if (is_usual) {
		inflateEnd(&inflater);
		inflateInit2(&inflater, -15);
	} else {
		inflateReset(&inflater);
	}
	inflater.next_in = (uint8_t *)from + 4;
	inflater.avail_in = length - 4;
	inflater.next_out = message;
	inflater.avail_out = whole;
	int code = inflate(&inflater, Z_FINISH);

	return code == Z_STREAM_END && inflater.avail_out == 0 && inflater.avail_in == 0 ? (int)whole : -1;
}

/* The payload of a datagram for the port; none: it is something else. */
static inline const uint8_t *payload_of(const uint8_t *data, uint32_t length, uint32_t *payload)
{
	if (unlikely(length < HEADERS))
		return NULL;
	const struct rte_ether_hdr *ether = (const struct rte_ether_hdr *)data;
	const struct rte_ipv4_hdr *ip = (const struct rte_ipv4_hdr *)(ether + 1);
	uint32_t header = (ip->version_ihl & 0xF) * 4u, total = rte_be_to_cpu_16(ip->total_length);

	if (ether->ether_type != RTE_BE16(RTE_ETHER_TYPE_IPV4) || ip->version_ihl >> 4 != 4 || header < 20 ||
	    total > length - sizeof(*ether) || total < header + 8 || ip->next_proto_id != IPPROTO_UDP ||
	    (ip->fragment_offset & RTE_BE16(0x3FFF)) != 0)
		return NULL;
	const struct rte_udp_hdr *udp = (const struct rte_udp_hdr *)((const uint8_t *)ip + header);
	uint32_t udp_bytes = rte_be_to_cpu_16(udp->dgram_len);

	if (rte_be_to_cpu_16(udp->dst_port) != port || udp_bytes < 8 || udp_bytes > total - header)
		return NULL;
	*payload = udp_bytes - 8;
	return (const uint8_t *)(udp + 1);
}

static inline int read_payload(const uint8_t *from, uint32_t length)
{
	switch (work) {
	case SEAL:
		return unseal(from, length);
	case COMPRESS:
		return inflate_message(from, length);
	default:
		if (unlikely(length > sizeof(message)))
			return -1;
		memcpy(message, from, length);
		return length;
	}
}

static const uint8_t *records;
static uint64_t records_bytes;
static uint64_t sum;

/* A record of a capture; returns where the next one is. */
static inline uint64_t read_record(uint64_t at, int *got)
{
	uint32_t length, payload;

	memcpy(&length, records + at + 8, sizeof(length));
	const uint8_t *data = payload_of(records + at + 16, length, &payload);

	*got = data == NULL ? -1 : read_payload(data, payload);
	return at + 16 + length;
}

static inline uint64_t next_record(uint64_t at)
{
	uint32_t length;

	memcpy(&length, records + at + 8, sizeof(length));
	at += 16 + length;
	return at < records_bytes ? at : 24;
}

static inline void take(uint64_t at)
{
	int got;
	uint64_t first;

	(void)read_record(at, &got);
	if (unlikely(got < 8)) {
		twin.counters.dropped++;
		return;
	}
	memcpy(&first, message, sizeof(first));
	sum += first;
	twin.counters.received++;
}

/* One message after the other: the processor fetches the next one meanwhile. */
static int sink(void *argument)
{
	uint64_t at = 24;

	(void)argument;
	while (!twin.stop)
		for (uint16_t i = 0; i < twin.burst; i++) {
			take(at);
			at = next_record(at);
		}
	return 0;
}

/* As a port has it: it is known where the packets of a burst are before one is handled. */
static int sink_bursts(void *argument)
{
	uint64_t at = 24, burst[MAX_BURST];

	(void)argument;
	while (!twin.stop) {
		for (uint16_t i = 0; i < twin.burst; i++) {
			burst[i] = at;
			at = next_record(at);
		}
		for (uint16_t i = 0; i < twin.burst; i++)
			take(burst[i]);
	}
	return 0;
}

/* Of all messages of the capture, once. */
static uint64_t digest(void)
{
	uint64_t value = 0, at = 24;

	while (at < records_bytes) {
		int got;

		at = read_record(at, &got);
		value = value * 31 + (uint32_t)got;
		for (int i = 0; i < got; i++)
			value = value * 31 + message[i];
	}
	return value;
}

static void record(const char *file, uint64_t count, uint64_t each)
{
	static uint8_t frame[ROOM + 256];
	const uint32_t magic[6] = {0xA1B23C4D, 0x00040002, 0, 0, 262144, 1};
	FILE *out = fopen(file, "wb");

	if (out == NULL || fwrite(magic, sizeof(magic), 1, out) != 1)
		rte_exit(EXIT_FAILURE, "file cannot be written: file=%s\n", file);
	for (uint64_t i = 0; i < count; i++) {
		if (work == SEAL && i % each == 0)
			new_salt();
		uint32_t length = write_datagram(frame);
		uint32_t head[4] = {i / 1000000, i % 1000000, length, length};

		if (fwrite(head, sizeof(head), 1, out) != 1 || fwrite(frame, length, 1, out) != 1)
			rte_exit(EXIT_FAILURE, "file cannot be written: file=%s\n", file);
	}
	if (fclose(out) != 0)
		rte_exit(EXIT_FAILURE, "file cannot be written: file=%s\n", file);
}

static void report(void)
{
	printf(",\"sum\":%lu", sum);
}

static enum work work_of(const char *name)
{
	if (strcmp(name, "seal") == 0)
		return SEAL;
	if (strcmp(name, "compress") == 0)
		return COMPRESS;
	if (strcmp(name, "plain") == 0)
		return PLAIN;
	rte_exit(EXIT_FAILURE, "no such work: work=%s; give seal, compress or plain\n", name);
}

int main(int argc, char **argv)
{
	twin_open(&twin, argc, argv);
	const char *side = twin_option("side", "source"), *file = twin_option("file", "");

	work = work_of(twin_option("work", "plain"));
	bytes = atoi(twin_option("bytes", "1024"));
	port = atoi(twin_option("port", "5000"));
	is_usual = atoi(twin_option("usual", "0"));
	if (work == SEAL) {
		uint64_t length;
		const uint8_t *read = map(twin_option("key", "key"), &length);

		key_bytes = RTE_MIN(length, sizeof(key));
		memcpy(key, read, key_bytes);
		new_salt();
	}
	if (deflateInit2(&deflater, LEVEL, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY) != Z_OK ||
	    inflateInit2(&inflater, -15) != Z_OK)
		rte_exit(EXIT_FAILURE, "zlib cannot be started\n");
	if (strcmp(side, "source") == 0 || strcmp(side, "record") == 0) {
		const uint8_t *read = map(twin_option("content", "content"), &content_bytes);

		if (bytes < 8 || bytes > content_bytes || bytes > ROOM)
			rte_exit(EXIT_FAILURE, "messages cannot be so long: bytes=%u\n", bytes);
		content = malloc(content_bytes);
		memcpy(content, read, content_bytes);
		write_template();
	} else {
		records = map(file, &records_bytes);
	}
	if (strcmp(side, "record") == 0) {
		record(file, strtoull(twin_option("count", "1"), NULL, 10), strtoull(twin_option("each", "1000"), NULL, 10));
		return 0;
	}
	if (strcmp(side, "digest") == 0) {
		printf("{\"digest\":\"%lx\"}\n", digest());
		return 0;
	}
	if (strcmp(side, "sink") == 0)
		return twin_serve(&twin, atoi(twin_option("bursts", "0")) ? sink_bursts : sink, report);
	return twin_serve(&twin, source, report);
}
