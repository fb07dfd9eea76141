/*
 * The twin of io.linerate.decode.Decoder: finds the layers of packets that lie in memory, as deep and with the same checks, for the protocols that the
 * benchmark's packets have. Program arguments besides those of twin.h, whose port is not used: frames=FILE and slot=BYTES,
 * see frames.h; ports=FILE, a byte for each port of TCP, then of UDP: which protocol it stands for; and way=nothing, read,
 * layers, port or fields: what is asked of a packet.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rte_byteorder.h>

#include "frames.h"
#include "twin.h"

#define MAX_LAYERS 64
#define PORTS 65536

/* In the order of DecodeLoop. */
enum protocol { NOTHING, ETHERNET, VLAN, ARP, IPV4, IPV6, HOP_BY_HOP, FRAGMENT, ICMP, ICMPV6, TCP, UDP, DNS, DHCP, NTP, TLS, DATA };

enum mark { SOUND, CUT, MALFORMED };

struct layer {
	uint16_t protocol, mark;
	int32_t offset, header_end, end;
};

struct decoded {
	uint32_t count;
	uint32_t present; /* a bit for each protocol */
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

static inline uint16_t u16(const uint8_t *data)
{
	uint16_t value;

	memcpy(&value, data, sizeof(value));
	return rte_be_to_cpu_16(value);
}

static inline uint32_t u32(const uint8_t *data)
{
	uint32_t value;

	memcpy(&value, data, sizeof(value));
	return rte_be_to_cpu_32(value);
}

static inline bool add(struct decoded *d, enum protocol protocol, enum mark mark, int offset, int header_end, int end)
{
	d->layers[d->count++] = (struct layer){protocol, mark, offset, header_end, end};
	d->present |= 1u << protocol;
	return d->count < MAX_LAYERS;
}

/* A layer that has all the bytes that are left. */
static inline void whole(struct decoded *d, enum protocol protocol, enum mark mark, int at, int end)
{
	add(d, protocol, mark, at, end, end);
}

static inline void data_layer(struct decoded *d, int at, int end)
{
	if (at < end)
		whole(d, DATA, SOUND, at, end);
}

static inline enum protocol of_ports(const struct ports *ports, uint32_t both)
{
	uint32_t source = both >> 16, destination = both & 0xFFFF;
	uint32_t low = RTE_MIN(source, destination), high = RTE_MAX(source, destination);

	if ((ports->bound[low / 64] >> (low % 64) & 1) != 0)
		return ports->protocol[low];
	return (ports->bound[high / 64] >> (high % 64) & 1) != 0 ? ports->protocol[high] : NOTHING;
}

static void tls(struct decoded *d, const uint8_t *data, int at, int end)
{
	while (at < end) {
		const uint8_t *record = data + at;

		if (end - at < 5 || record[0] < 20 || record[0] > 24 || record[1] != 3 || record[2] > 4 || u16(record + 3) > 18432 ||
		    d->count == MAX_LAYERS - 1) {
			data_layer(d, at, end);
			return;
		}
		int bytes = 5 + u16(record + 3);

		if (bytes > end - at) {
			whole(d, TLS, CUT, at, end);
			return;
		}
		if (!add(d, TLS, SOUND, at, at + bytes, end))
			return;
		at += bytes;
	}
}

static inline void application(struct decoded *d, const uint8_t *data, int at, int end, enum protocol protocol)
{
	if (at >= end)
		return;
	switch (protocol) {
	case NOTHING:
		whole(d, DATA, SOUND, at, end);
		return;
	case TLS:
		tls(d, data, at, end);
		return;
	default:
		whole(d, protocol, SOUND, at, end);
	}
}

static inline void tcp(struct decoded *d, const uint8_t *data, int at, int end)
{
	if (unlikely(end - at < 20)) {
		whole(d, TCP, MALFORMED, at, end);
		return;
	}
	int header_end = at + 4 * (data[at + 12] >> 4);

	if (unlikely(header_end < at + 20 || header_end > end)) {
		whole(d, TCP, MALFORMED, at, end);
		return;
	}
	if (add(d, TCP, SOUND, at, header_end, end) && header_end < end)
		application(d, data, header_end, end, of_ports(&tcp_ports, u32(data + at)));
}

/* Of the first part of a datagram, the rest is elsewhere. */
static inline void udp(struct decoded *d, const uint8_t *data, int at, int end, bool is_first_part)
{
	if (unlikely(end - at < 8)) {
		whole(d, UDP, MALFORMED, at, end);
		return;
	}
	int bytes = u16(data + at + 4);
	bool is_sound = bytes >= 8 && (is_first_part || bytes <= end - at);
	int udp_end = RTE_MIN(end, at + RTE_MAX(bytes, 8));

	if (add(d, UDP, likely(is_sound) ? SOUND : MALFORMED, at, at + 8, udp_end) && at + 8 < udp_end)
		application(d, data, at + 8, udp_end, of_ports(&udp_ports, u32(data + at)));
}

static inline void icmp(struct decoded *d, const uint8_t *data, int at, int end, enum protocol protocol, int echo, int reply)
{
	bool is_echo = end - at >= 8 && (data[at] == echo || data[at] == reply);

	if (!is_echo)
		whole(d, protocol, SOUND, at, end);
	else if (add(d, protocol, SOUND, at, at + 8, end))
		data_layer(d, at + 8, end);
}

static inline void transport(struct decoded *d, const uint8_t *data, int at, int end, int protocol, bool is_first_part)
{
	if (at >= end)
		return;
	switch (protocol) {
	case IPPROTO_TCP:
		tcp(d, data, at, end);
		return;
	case IPPROTO_UDP:
		udp(d, data, at, end, is_first_part);
		return;
	case IPPROTO_ICMP:
		icmp(d, data, at, end, ICMP, 8, 0);
		return;
	case IPPROTO_ICMPV6:
		icmp(d, data, at, end, ICMPV6, 128, 129);
		return;
	default:
		whole(d, DATA, SOUND, at, end);
	}
}

/* Those headers of IPv6 that the packets have. */
__attribute__((noinline)) static void extensions(struct decoded *d, const uint8_t *data, int at, int end, int protocol)
{
	bool is_first_part = false;

	while (at < end && (protocol == IPPROTO_HOPOPTS || protocol == IPPROTO_FRAGMENT) && d->count < MAX_LAYERS - 1) {
		bool is_fragment = protocol == IPPROTO_FRAGMENT;
		enum protocol name = is_fragment ? FRAGMENT : HOP_BY_HOP;
		int bytes = end - at < 8 ? end - at + 1 : is_fragment ? 8 : 8 + 8 * data[at + 1];

		if (bytes > end - at) {
			whole(d, name, MALFORMED, at, end);
			return;
		}
		add(d, name, SOUND, at, at + bytes, end);
		protocol = data[at];
		if (is_fragment) {
			uint16_t offset = u16(data + at + 2);

			is_first_part = offset == 1;
			if (offset >> 3 != 0)
				protocol = -1;
		}
		at += bytes;
	}
	transport(d, data, at, end, protocol, is_first_part);
}

static inline void ipv4(struct decoded *d, const uint8_t *data, int at, int length)
{
	if (unlikely(length - at < 20)) {
		whole(d, IPV4, MALFORMED, at, length);
		return;
	}
	int header_end = at + 4 * (data[at] & 0xF), total = u16(data + at + 2);
	uint16_t fragment = u16(data + at + 6) & 0x3FFF;
	int end = length;
	bool is_sound = true;

	if (unlikely(data[at] >> 4 != 4 || header_end < at + 20 || header_end > length)) {
		whole(d, IPV4, MALFORMED, at, length);
		return;
	}
	if (likely(total != 0)) {
		is_sound = at + total >= header_end && at + total <= length;
		end = RTE_MIN(length, RTE_MAX(at + total, header_end));
	}
	if (add(d, IPV4, likely(is_sound) ? SOUND : MALFORMED, at, header_end, end) && header_end < end)
		transport(d, data, header_end, end, (fragment & 0x1FFF) == 0 ? data[at + 9] : -1, fragment == 0x2000);
}

static inline void ipv6(struct decoded *d, const uint8_t *data, int at, int length)
{
	if (unlikely(length - at < 40 || data[at] >> 4 != 6)) {
		whole(d, IPV6, MALFORMED, at, length);
		return;
	}
	int payload = u16(data + at + 4), protocol = data[at + 6], header_end = at + 40;
	bool is_jumbo = payload == 0 && protocol == IPPROTO_HOPOPTS;
	int end = is_jumbo ? length : RTE_MIN(length, header_end + payload);

	if (!add(d, IPV6, likely(header_end + payload <= length) ? SOUND : MALFORMED, at, header_end, end))
		return;
	if (protocol == IPPROTO_HOPOPTS || protocol == IPPROTO_FRAGMENT)
		extensions(d, data, header_end, end, protocol);
	else
		transport(d, data, header_end, end, protocol, false);
}

static inline void arp(struct decoded *d, const uint8_t *data, int at, int length)
{
	int bytes = length - at < 8 ? length - at + 1 : 8 + 2 * (data[at + 4] + data[at + 5]);
	int end = RTE_MIN(length, at + bytes);

	whole(d, ARP, bytes > length - at ? MALFORMED : SOUND, at, end);
}

static inline void decode(struct decoded *d, const struct rte_mbuf *packet)
{
	const uint8_t *data = rte_pktmbuf_mtod(packet, const uint8_t *);
	int length = rte_pktmbuf_pkt_len(packet), at = 14;

	d->count = 0;
	d->present = 0;
	if (unlikely(length < 14)) {
		whole(d, ETHERNET, MALFORMED, 0, length);
		return;
	}
	uint16_t type = u16(data + 12);

	add(d, ETHERNET, SOUND, 0, 14, length);
	while (type == 0x8100 && d->count < MAX_LAYERS - 2) {
		if (at >= length)
			return;
		if (length - at < 4) {
			whole(d, VLAN, MALFORMED, at, length);
			return;
		}
		add(d, VLAN, SOUND, at, at + 4, length);
		type = u16(data + at + 2);
		at += 4;
	}
	if (at >= length)
		return;
	switch (type) {
	case 0x0800:
		ipv4(d, data, at, length);
		return;
	case 0x86DD:
		ipv6(d, data, at, length);
		return;
	case 0x0806:
		arp(d, data, at, length);
		return;
	default:
		whole(d, DATA, SOUND, at, length);
	}
}

/* What a program makes of that: it is all there, in memory. */
static inline const struct decoded *decoded(const struct rte_mbuf *packet)
{
	decode(&answer_of_loop, packet);
	__asm__ volatile("" : : "r"(&answer_of_loop) : "memory");
	return &answer_of_loop;
}

/* Place of a protocol that is there. */
static inline int place(const struct decoded *d, enum protocol protocol)
{
	int at = 0;

	while (d->layers[at].protocol != protocol)
		at++;
	return at;
}

static inline bool is_inside(const struct rte_mbuf *packet, int offset, int bytes)
{
	return likely(offset >= 0 && offset + bytes <= (int)rte_pktmbuf_pkt_len(packet));
}

static inline uint32_t checked_u8(const struct rte_mbuf *packet, int offset)
{
	return is_inside(packet, offset, 1) ? *rte_pktmbuf_mtod_offset(packet, const uint8_t *, offset) : 0;
}

static inline uint32_t checked_u16(const struct rte_mbuf *packet, int offset)
{
	return is_inside(packet, offset, 2) ? u16(rte_pktmbuf_mtod_offset(packet, const uint8_t *, offset)) : 0;
}

static inline uint32_t checked_u32(const struct rte_mbuf *packet, int offset)
{
	return is_inside(packet, offset, 4) ? u32(rte_pktmbuf_mtod_offset(packet, const uint8_t *, offset)) : 0;
}

static inline uint64_t port_of(const struct rte_mbuf *packet)
{
	const struct decoded *d = decoded(packet);

	if ((d->present & 1u << TCP) == 0)
		return 0;
	return checked_u16(packet, d->layers[place(d, TCP)].offset + 2);
}

static inline uint64_t fields_of(const struct rte_mbuf *packet)
{
	const struct decoded *d = decoded(packet);

	if ((d->present & 1u << TCP) == 0)
		return 0;
	int at = d->layers[place(d, TCP)].offset;

	return (uint64_t)checked_u16(packet, at) + checked_u16(packet, at + 2) + checked_u32(packet, at + 4) +
	       checked_u32(packet, at + 8) + checked_u8(packet, at + 13) + checked_u16(packet, at + 14) +
	       checked_u16(packet, at + 16) + checked_u16(packet, at + 18);
}

#define LOOP(name, answer)                                                                                             \
	static int name(void *argument)                                                                                \
	{                                                                                                              \
		struct twin *twin = argument;                                                                          \
		volatile uint64_t sink;                                                                                \
		uint64_t at = 0, sum = 0;                                                                              \
                                                                                                                       \
		while (!twin->stop) {                                                                                  \
			for (uint16_t i = 0; i < twin->burst; i++) {                                                   \
				const struct rte_mbuf *packet = packets[at + i];                                       \
				sum += answer;                                                                         \
			}                                                                                              \
			sink = sum;                                                                                    \
			at = (at + twin->burst) & (packet_count - 1);                                                  \
			twin->counters.received += twin->burst;                                                        \
		}                                                                                                      \
		(void)sink;                                                                                            \
		return 0;                                                                                              \
	}

LOOP(nothing, rte_pktmbuf_pkt_len(packet))
LOOP(integer, checked_u32(packet, 26))
LOOP(layers, decoded(packet)->count)
LOOP(port, port_of(packet))
LOOP(fields, fields_of(packet))

static const struct {
	const char *name;
	int (*work)(void *);
} ways[] = {{"nothing", nothing}, {"read", integer}, {"layers", layers}, {"port", port}, {"fields", fields}};

static uint64_t digest_of_all(void)
{
	uint64_t value = 0;
	struct decoded d;

	for (uint64_t i = 0; i < packet_count; i++) {
		decode(&d, packets[i]);
		for (uint32_t k = 0; k < d.count; k++) {
			const struct layer *layer = d.layers + k;
			int32_t numbers[] = {layer->protocol, layer->mark, layer->offset, layer->header_end, layer->end};

			for (size_t n = 0; n < RTE_DIM(numbers); n++)
				value = value * 31 + (uint64_t)(int64_t)numbers[n];
		}
	}
	return value;
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
	digest = digest_of_all();
	way = twin_option("way", "layers");
	for (size_t i = 0; i < RTE_DIM(ways); i++)
		if (strcmp(way, ways[i].name) == 0)
			return twin_serve(&twin, ways[i].work, report);
	rte_exit(EXIT_FAILURE, "no such way: way=%s\n", way);
}
