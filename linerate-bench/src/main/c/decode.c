/*
 * The twin of io.linerate.decode.Decoder: finds the layers of packets that lie in memory, as deep and with the same checks, for the protocols that the
 * benchmark's packets have. Program arguments besides those of twin.h, whose port is not used: frames=FILE and slot=BYTES,
 * see frames.h; ports=FILE, a byte for each port of TCP, then of UDP: which protocol it stands for; and way=nothing, read,
 * layers, port or fields: what is asked of a packet; or usual: layers, header by header.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rte_byteorder.h>

#include "frames.h"
#include "twin.h"

#define MAX_LAYERS 64
#define MAX_TAGS 48 /* so that all that can follow has room, but for records of TLS, which are counted */
#define PORTS 65536

#define PLAIN_IPV4 34
#define PLAIN_IPV6 54

/* In the order of DecodeLoop. */
enum protocol { NOTHING, ETHERNET, VLAN, ARP, IPV4, IPV6, HOP_BY_HOP, FRAGMENT, ICMP, ICMPV6, TCP, UDP, DNS, DHCP, NTP, TLS, DATA };

enum mark { SOUND, CUT, MALFORMED };

/* From the lowest bits on: protocol 16, mark 16, offset 32; end of the header 32, end 32. */
struct layer {
	uint64_t begin, ends;
};

/* What is known so far: in registers, all functions that have it being inlined. */
struct found {
	uint32_t count;
	uint32_t present; /* a bit for each protocol */
};

struct decoded {
	struct found found;
	struct layer layers[MAX_LAYERS];
};

struct ports {
	uint64_t bound[PORTS / 64]; /* a bit for each port that stands for something */
	uint8_t protocol[PORTS];
};

static struct rte_mbuf **packets;
static uint64_t packet_count;
static uint64_t digest;
static struct ports tcp_ports, udp_ports;
static struct decoded answer_of_loop;

static __rte_always_inline uint16_t u16(const uint8_t *data)
{
	uint16_t value;

	memcpy(&value, data, sizeof(value));
	return rte_be_to_cpu_16(value);
}

static __rte_always_inline uint32_t u32(const uint8_t *data)
{
	uint32_t value;

	memcpy(&value, data, sizeof(value));
	return rte_be_to_cpu_32(value);
}

static __rte_always_inline uint64_t u64(const uint8_t *data)
{
	uint64_t value;

	memcpy(&value, data, sizeof(value));
	return rte_be_to_cpu_64(value);
}

static __rte_always_inline void set(struct decoded *d, uint32_t place, enum protocol protocol, enum mark mark, int offset,
				    int header_end, int end)
{
	d->layers[place].begin = (uint64_t)(uint32_t)offset << 32 | (uint32_t)mark << 16 | protocol;
	d->layers[place].ends = (uint64_t)(uint32_t)end << 32 | (uint32_t)header_end;
}

static __rte_always_inline void add(struct decoded *d, struct found *f, enum protocol protocol, enum mark mark, int offset,
				    int header_end, int end)
{
	set(d, f->count++, protocol, mark, offset, header_end, end);
	f->present |= 1u << protocol;
}

/* A layer that has all the bytes that are left. */
static __rte_always_inline void whole(struct decoded *d, struct found *f, enum protocol protocol, enum mark mark, int at, int end)
{
	add(d, f, protocol, mark, at, end, end);
}

static __rte_always_inline void data_layer(struct decoded *d, struct found *f, int at, int end)
{
	if (at < end)
		whole(d, f, DATA, SOUND, at, end);
}

/* Whether one of two ports stands for something. */
static __rte_always_inline bool is_bound(const struct ports *ports, uint32_t both)
{
	uint32_t source = both >> 16, destination = both & 0xFFFF;

	return ((ports->bound[source / 64] >> (source % 64) | ports->bound[destination / 64] >> (destination % 64)) & 1) != 0;
}

/* The lower one counts, if both do. */
static __rte_always_inline enum protocol of_ports(const struct ports *ports, uint32_t both)
{
	uint32_t source = both >> 16, destination = both & 0xFFFF;
	uint32_t low = RTE_MIN(source, destination), high = RTE_MAX(source, destination);

	return ports->protocol[low] != NOTHING ? ports->protocol[low] : ports->protocol[high];
}

static __rte_always_inline void tls(struct decoded *d, struct found *f, const uint8_t *data, int at, int end)
{
	while (at < end) {
		const uint8_t *record = data + at;

		if (end - at < 5 || f->count == MAX_LAYERS - 1) {
			data_layer(d, f, at, end);
			return;
		}
		uint32_t begin = u32(record), content = (begin & 0xFF) << 8 | record[4];
		int bytes = 5 + content;

		if ((begin >> 24) - 20 > 4 || (begin >> 16 & 0xFF) != 3 || (begin >> 8 & 0xFF) > 4 || content > 18432) {
			data_layer(d, f, at, end);
			return;
		}
		if (bytes > end - at) {
			whole(d, f, TLS, CUT, at, end);
			return;
		}
		add(d, f, TLS, SOUND, at, at + bytes, end);
		at += bytes;
	}
}

static __rte_always_inline void application(struct decoded *d, struct found *f, const uint8_t *data, int at, int end,
					    enum protocol protocol)
{
	if (protocol == TLS)
		tls(d, f, data, at, end);
	else
		whole(d, f, protocol, SOUND, at, end);
}

/* What a header with ports carries. */
static __rte_always_inline void carried(struct decoded *d, struct found *f, const uint8_t *data, const struct ports *ports,
					uint32_t both, int at, int end)
{
	if (at == end)
		return;
	if (is_bound(ports, both))
		application(d, f, data, at, end, of_ports(ports, both));
	else
		whole(d, f, DATA, SOUND, at, end);
}

static __rte_always_inline void tcp(struct decoded *d, struct found *f, const uint8_t *data, int at, int end)
{
	if (unlikely(end - at < 20)) {
		whole(d, f, TCP, MALFORMED, at, end);
		return;
	}
	int header_end = at + 4 * (data[at + 12] >> 4);

	if (unlikely(header_end < at + 20 || header_end > end)) {
		whole(d, f, TCP, MALFORMED, at, end);
		return;
	}
	add(d, f, TCP, SOUND, at, header_end, end);
	carried(d, f, data, &tcp_ports, u32(data + at), header_end, end);
}

/* Of the first part of a datagram, the rest is elsewhere. */
static __rte_always_inline void udp(struct decoded *d, struct found *f, const uint8_t *data, int at, int end, bool is_first_part)
{
	if (unlikely(end - at < 8)) {
		whole(d, f, UDP, MALFORMED, at, end);
		return;
	}
	uint64_t header = u64(data + at);
	int bytes = header >> 16 & 0xFFFF;
	bool is_sound = bytes >= 8 && (is_first_part || bytes <= end - at);
	int udp_end = RTE_MIN(end, at + RTE_MAX(bytes, 8));

	add(d, f, UDP, likely(is_sound) ? SOUND : MALFORMED, at, at + 8, udp_end);
	carried(d, f, data, &udp_ports, header >> 32, at + 8, udp_end);
}

static __rte_always_inline void icmp(struct decoded *d, struct found *f, const uint8_t *data, int at, int end, bool is_ipv4)
{
	int request = is_ipv4 ? 8 : 128, reply = is_ipv4 ? 0 : 129;
	enum protocol protocol = is_ipv4 ? ICMP : ICMPV6;

	if (end - at < 8 || (data[at] != request && data[at] != reply)) {
		whole(d, f, protocol, SOUND, at, end);
		return;
	}
	add(d, f, protocol, SOUND, at, at + 8, end);
	data_layer(d, f, at + 8, end);
}

static __rte_always_inline void transport(struct decoded *d, struct found *f, const uint8_t *data, int at, int end, int protocol,
					  bool is_first_part)
{
	if (at >= end)
		return;
	if (protocol == IPPROTO_TCP)
		tcp(d, f, data, at, end);
	else if (protocol == IPPROTO_UDP)
		udp(d, f, data, at, end, is_first_part);
	else if (protocol == IPPROTO_ICMP || protocol == IPPROTO_ICMPV6)
		icmp(d, f, data, at, end, protocol == IPPROTO_ICMP);
	else
		whole(d, f, DATA, SOUND, at, end);
}

/* Those headers of IPv6 that the packets have, which few have. */
__attribute__((noinline, cold)) static struct found extensions(struct decoded *d, struct found found, const uint8_t *data, int at,
							      int end, int protocol)
{
	bool is_first_part = false;

	while (at < end && (protocol == IPPROTO_HOPOPTS || protocol == IPPROTO_FRAGMENT) && found.count < MAX_LAYERS - 4) {
		bool is_fragment = protocol == IPPROTO_FRAGMENT;
		enum protocol name = is_fragment ? FRAGMENT : HOP_BY_HOP;
		int bytes = end - at < 8 ? end - at + 1 : is_fragment ? 8 : 8 + 8 * data[at + 1];

		if (bytes > end - at) {
			whole(d, &found, name, MALFORMED, at, end);
			return found;
		}
		add(d, &found, name, SOUND, at, at + bytes, end);
		protocol = data[at];
		if (is_fragment) {
			uint16_t offset = u16(data + at + 2);

			is_first_part = offset == 1;
			if (offset >> 3 != 0)
				protocol = -1;
		}
		at += bytes;
	}
	transport(d, &found, data, at, end, protocol, is_first_part);
	return found;
}

static __rte_always_inline void ipv4(struct decoded *d, struct found *f, const uint8_t *data, int at, int length)
{
	if (unlikely(length - at < 20)) {
		whole(d, f, IPV4, MALFORMED, at, length);
		return;
	}
	uint64_t words = u64(data + at); /* version 4, IHL 4, service 8, length 16, identification 16, fragment 16 */
	int header_end = at + (words >> 54 & 0x3C), total = words >> 32 & 0xFFFF;
	bool is_sound = true;
	int end = length;

	if (unlikely(words >> 60 != 4 || header_end < at + 20 || header_end > length)) {
		whole(d, f, IPV4, MALFORMED, at, length);
		return;
	}
	if (likely(total != 0)) {
		is_sound = at + total >= header_end;
		end = RTE_MIN(length, RTE_MAX(at + total, header_end));
	}
	add(d, f, IPV4, likely(is_sound) ? SOUND : MALFORMED, at, header_end, end);
	transport(d, f, data, header_end, end, (words & 0x1FFF) == 0 ? data[at + 9] : -1, (words & 0x3FFF) == 0x2000);
}

static __rte_always_inline void ipv6(struct decoded *d, struct found *f, const uint8_t *data, int at, int length)
{
	if (unlikely(length - at < 40 || data[at] >> 4 != 6)) {
		whole(d, f, IPV6, MALFORMED, at, length);
		return;
	}
	int payload = u16(data + at + 4), protocol = data[at + 6], header_end = at + 40;
	bool is_jumbo = payload == 0 && protocol == IPPROTO_HOPOPTS;
	int end = is_jumbo ? length : RTE_MIN(length, header_end + payload);

	add(d, f, IPV6, SOUND, at, header_end, end);
	if (unlikely(protocol == IPPROTO_HOPOPTS || protocol == IPPROTO_FRAGMENT))
		*f = extensions(d, *f, data, header_end, end, protocol);
	else
		transport(d, f, data, header_end, end, protocol, false);
}

static __rte_always_inline void arp(struct decoded *d, struct found *f, const uint8_t *data, int at, int length)
{
	int bytes = length - at < 8 ? length - at + 1 : 8 + 2 * (data[at + 4] + data[at + 5]);
	int end = RTE_MIN(length, at + bytes);

	whole(d, f, ARP, bytes > length - at ? MALFORMED : SOUND, at, end);
}

static __rte_always_inline struct found any(struct decoded *d, const uint8_t *data, int length)
{
	struct found found = {0};
	int at = 14;

	if (unlikely(length < 14)) {
		whole(d, &found, ETHERNET, MALFORMED, 0, length);
		return found;
	}
	uint16_t type = u16(data + 12);

	add(d, &found, ETHERNET, SOUND, 0, 14, length);
	while (type == 0x8100 && found.count <= MAX_TAGS) {
		if (at >= length)
			return found;
		if (length - at < 4) {
			whole(d, &found, VLAN, MALFORMED, at, length);
			return found;
		}
		add(d, &found, VLAN, SOUND, at, at + 4, length);
		type = u16(data + at + 2);
		at += 4;
	}
	if (at >= length)
		return found;
	if (type == 0x0800)
		ipv4(d, &found, data, at, length);
	else if (type == 0x86DD)
		ipv6(d, &found, data, at, length);
	else if (type == 0x0806)
		arp(d, &found, data, at, length);
	else
		whole(d, &found, DATA, SOUND, at, length);
	return found;
}

/* TCP without tags and options of IP, at places that are constant; anything else, and what is not sound, by any. */
static __rte_always_inline struct found decode_bytes(struct decoded *d, const uint8_t *data, int length)
{
	enum protocol ip;
	int at, bytes;
	bool is_tcp;

	if (unlikely(length < PLAIN_IPV4))
		return any(d, data, length);
	uint64_t words = u64(data + 12);

	if (words >> 40 == 0x080045) {
		ip = IPV4;
		at = PLAIN_IPV4;
		bytes = (int)(words >> 16 & 0xFFFF) - 20;
		is_tcp = (u32(data + 20) & 0x3FFF00FF) == IPPROTO_TCP;
	} else {
		ip = IPV6;
		at = PLAIN_IPV6;
		bytes = words & 0xFFFF;
		is_tcp = words >> 44 == 0x86DD6 && data[20] == IPPROTO_TCP;
	}
	if (!is_tcp || bytes < 20 || at + bytes > length)
		return any(d, data, length);
	int header_bytes = 4 * (data[at + 12] >> 4), end = at + bytes, header_end = at + header_bytes;

	if (unlikely(header_bytes < 20 || header_bytes > bytes))
		return any(d, data, length);
	struct found found = {.count = 3, .present = 1u << ETHERNET | 1u << ip | 1u << TCP};

	set(d, 0, ETHERNET, SOUND, 0, 14, length);
	set(d, 1, ip, SOUND, 14, at, end);
	set(d, 2, TCP, SOUND, at, header_end, end);
	carried(d, &found, data, &tcp_ports, u32(data + at), header_end, end);
	return found;
}

/* A packet in several segments is copied before. */
__attribute__((noinline, cold)) static struct found decode_segments(struct decoded *d, const struct rte_mbuf *packet)
{
	static uint8_t copy[65536];
	uint32_t length = RTE_MIN(rte_pktmbuf_pkt_len(packet), sizeof(copy));
	const uint8_t *data = rte_pktmbuf_read(packet, 0, length, copy);

	return any(d, data, (int)length);
}

static __rte_always_inline void decode(struct decoded *d, const struct rte_mbuf *packet, bool is_usual)
{
	const uint8_t *data = rte_pktmbuf_mtod(packet, const uint8_t *);
	int length = (int)rte_pktmbuf_pkt_len(packet);

	if (unlikely(packet->nb_segs != 1))
		d->found = decode_segments(d, packet);
	else if (is_usual)
		d->found = any(d, data, length);
	else
		d->found = decode_bytes(d, data, length);
}

/* What a program makes of that is all in memory, which does not say that memory has changed. */
static __rte_always_inline const struct decoded *decoded(const struct rte_mbuf *packet)
{
	decode(&answer_of_loop, packet, false);
	__asm__ volatile("" : : "m"(answer_of_loop));
	return &answer_of_loop;
}

/* As one writes it: header by header. */
static __rte_always_inline const struct decoded *usually_decoded(const struct rte_mbuf *packet)
{
	decode(&answer_of_loop, packet, true);
	__asm__ volatile("" : : "m"(answer_of_loop));
	return &answer_of_loop;
}

static __rte_always_inline bool has(const struct decoded *d, enum protocol protocol)
{
	return (d->found.present & 1u << protocol) != 0;
}

/* Offset of the first layer of a protocol that is there. */
static __rte_always_inline int offset_of(const struct decoded *d, enum protocol protocol)
{
	const struct layer *layer = d->layers;

	while ((layer->begin & 0xFFFF) != protocol)
		layer++;
	return layer->begin >> 32;
}

static inline bool is_inside(const struct rte_mbuf *packet, int offset, int bytes)
{
	return likely(offset >= 0 && offset + bytes <= (int)rte_pktmbuf_pkt_len(packet));
}

static inline uint32_t checked_u16(const struct rte_mbuf *packet, int offset)
{
	return is_inside(packet, offset, 2) ? u16(rte_pktmbuf_mtod_offset(packet, const uint8_t *, offset)) : 0;
}

static inline uint32_t checked_u32(const struct rte_mbuf *packet, int offset)
{
	return is_inside(packet, offset, 4) ? u32(rte_pktmbuf_mtod_offset(packet, const uint8_t *, offset)) : 0;
}

static inline uint64_t port_asked(const struct rte_mbuf *packet)
{
	const struct decoded *d = decoded(packet);

	return has(d, TCP) ? checked_u16(packet, offset_of(d, TCP) + 2) : 0;
}

static inline uint64_t fields_asked(const struct rte_mbuf *packet)
{
	const struct decoded *d = decoded(packet);

	if (!has(d, TCP))
		return 0;
	int at = offset_of(d, TCP);

	return (uint64_t)checked_u16(packet, at) + checked_u16(packet, at + 2) + checked_u32(packet, at + 4) +
	       checked_u32(packet, at + 8) + (checked_u16(packet, at + 12) & 0xFFF) + checked_u16(packet, at + 14) +
	       checked_u16(packet, at + 16) + checked_u16(packet, at + 18);
}

/* What is asked of a packet, alone and in a loop. */
#define LOOP(name, answer)                                                                                             \
	static uint64_t name##_of(const struct rte_mbuf *packet)                                                       \
	{                                                                                                              \
		return answer;                                                                                         \
	}                                                                                                              \
                                                                                                                       \
	static int name(void *argument)                                                                                \
	{                                                                                                              \
		struct twin *twin = argument;                                                                          \
		struct rte_mbuf **const all = packets;                                                                 \
		const uint16_t burst = twin->burst;                                                                    \
		volatile uint64_t sink;                                                                                \
		uint64_t at = 0, sum = 0;                                                                              \
                                                                                                                       \
		while (!twin->stop) {                                                                                  \
			for (uint16_t i = 0; i < burst; i++) {                                                         \
				const struct rte_mbuf *packet = all[at + i];                                           \
				sum += answer;                                                                         \
			}                                                                                              \
			sink = sum;                                                                                    \
			at = (at + burst) & (packet_count - 1);                                                        \
			twin->counters.received += burst;                                                              \
			rte_compiler_barrier(); /* the counter is read by others */                                    \
		}                                                                                                      \
		(void)sink;                                                                                            \
		return 0;                                                                                              \
	}

LOOP(nothing, rte_pktmbuf_pkt_len(packet))
LOOP(integer, checked_u32(packet, 26))
LOOP(layers, decoded(packet)->found.count)
LOOP(port, port_asked(packet))
LOOP(fields, fields_asked(packet))

LOOP(usual, usually_decoded(packet)->found.count)

static const struct way {
	const char *name;
	int (*work)(void *);
	uint64_t (*answer)(const struct rte_mbuf *);
} ways[] = {{"nothing", nothing, nothing_of}, {"read", integer, integer_of}, {"layers", layers, layers_of},
	    {"port", port, port_of},	      {"fields", fields, fields_of}, {"usual", usual, usual_of}};

/* Of all layers, and of what is asked. */
static uint64_t digest_of_all(const struct way *way)
{
	uint64_t value = 0, sum = 0;
	struct decoded d;

	for (uint64_t i = 0; i < packet_count; i++) {
		sum += way->answer(packets[i]);
		decode(&d, packets[i], way->work == usual);
		for (uint32_t k = 0; k < d.found.count; k++) {
			uint64_t begin = d.layers[k].begin, ends = d.layers[k].ends;
			int32_t numbers[] = {begin & 0xFFFF, begin >> 16 & 0xFFFF, begin >> 32, ends & 0xFFFFFFFF, ends >> 32};

			for (size_t n = 0; n < RTE_DIM(numbers); n++)
				value = value * 31 + (uint64_t)(int64_t)numbers[n];
		}
	}
	return value * 31 + sum;
}

static void read_ports(struct ports *ports, FILE *stream)
{
	if (stream == NULL || fread(ports->protocol, PORTS, 1, stream) != 1)
		rte_exit(EXIT_FAILURE, "ports cannot be read: ports=%s\n", twin_option("ports", "ports"));
	for (uint32_t i = 0; i < PORTS; i++)
		if (ports->protocol[i] != NOTHING)
			ports->bound[i / 64] |= 1ull << i % 64;
}

static void report(void)
{
	printf(",\"digest\":\"%lx\"", digest);
}

int main(int argc, char **argv)
{
	static struct twin twin;
	const char *way;

	twin_open(&twin, argc, argv);
	packets = frames_read(twin_option("frames", "frames"), atoi(twin_option("slot", "128")), &packet_count);
	FILE *stream = fopen(twin_option("ports", "ports"), "rb");

	read_ports(&tcp_ports, stream);
	read_ports(&udp_ports, stream);
	fclose(stream);
	way = twin_option("way", "layers");
	for (size_t i = 0; i < RTE_DIM(ways); i++)
		if (strcmp(way, ways[i].name) == 0) {
			digest = digest_of_all(&ways[i]);
			return twin_serve(&twin, ways[i].work, report);
		}
	rte_exit(EXIT_FAILURE, "no such way: way=%s\n", way);
}
