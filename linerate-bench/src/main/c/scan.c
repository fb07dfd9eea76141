/*
 * The twin of io.linerate.wire.HeaderScanner: finds the layers of packets that lie in memory, with the same checks.
 * Program arguments besides those of twin.h, whose port is not used: frames=FILE, see frames.h; way=best, where the compiler leaves out the answers
 * that nobody asks for; call: a function of a library, which gives all; or usual: rte_net_get_ptype() of DPDK.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rte_byteorder.h>
#include <rte_net.h>

#include "frames.h"
#include "twin.h"

#define MAX_EXTENSION_HEADERS 8
#define MAX_VLAN_TAGS 2

/* In the order of HeaderDefect. */
enum defect {
	NONE,
	TRUNCATED_ETHERNET,
	TRUNCATED_VLAN,
	TRUNCATED_IP,
	BAD_IP_VERSION,
	BAD_HEADER_LENGTH,
	BAD_TOTAL_LENGTH,
	TRUNCATED_EXTENSION_HEADER,
	TOO_MANY_EXTENSION_HEADERS,
	NESTED_FRAGMENT,
	/* From here on the headers up to that of IP are sound. */
	TRUNCATED_L4,
	BAD_DATA_OFFSET,
	TRUNCATED_PAYLOAD,
};

struct headers {
	int32_t ether_type, vlan_tags, l3, ip_version, protocol, ip_end, l4, fragment_offset;
	bool more_fragments, l4_fits;
	enum defect defect;
};

static struct rte_mbuf **packets;
static uint64_t packet_count;
static uint64_t digest;

static inline uint16_t u16(const uint8_t *data)
{
	uint16_t value;

	memcpy(&value, data, sizeof(value));
	return rte_be_to_cpu_16(value);
}

static inline bool end(struct headers *h, enum defect defect)
{
	h->defect = defect;
	return defect == NONE || defect >= TRUNCATED_L4;
}

static inline void known(struct headers *h, int at, bool fits)
{
	h->l4_fits = fits;
	if (fits)
		h->l4 = at;
	else
		h->defect = TRUNCATED_L4;
}

static inline void upper_layer(struct headers *h, const uint8_t *data, int at)
{
	int room = h->ip_end - at;

	switch (h->protocol) {
	case IPPROTO_TCP:
		if (room < 20) {
			known(h, at, false);
			return;
		}
		int header = 4 * (data[at + 12] >> 4);
		known(h, at, header <= room);
		if (header < 20) {
			h->l4_fits = false;
			h->defect = BAD_DATA_OFFSET;
		}
		return;
	case IPPROTO_UDP:
	case IPPROTO_ICMP:
	case IPPROTO_ICMPV6:
		known(h, at, room >= 8);
		return;
	default:
		h->l4 = at;
	}
}

static inline bool ipv4_body(struct headers *h, const uint8_t *data, int length, int header, int total)
{
	uint16_t fragment = u16(data + h->l3 + 6);

	h->ip_version = 4;
	h->protocol = data[h->l3 + 9];
	h->fragment_offset = fragment & 0x1FFF;
	h->more_fragments = (fragment & 0x2000) != 0;
	h->ip_end = RTE_MIN(length, h->l3 + total);
	h->l4 = -1;
	h->l4_fits = false;
	if (total < header)
		return end(h, BAD_TOTAL_LENGTH);
	h->defect = h->l3 + total > length ? TRUNCATED_PAYLOAD : NONE;
	if (h->fragment_offset == 0)
		upper_layer(h, data, h->l3 + header);
	return true;
}

static bool ipv4(struct headers *h, const uint8_t *data, int length)
{
	int room = length - h->l3;

	if (room < 1)
		return end(h, TRUNCATED_IP);
	if (data[h->l3] >> 4 != 4)
		return end(h, BAD_IP_VERSION);
	int header = 4 * (data[h->l3] & 0xF);
	if (header < 20)
		return end(h, BAD_HEADER_LENGTH);
	if (room < header)
		return end(h, TRUNCATED_IP);
	return ipv4_body(h, data, length, header, u16(data + h->l3 + 2));
}

static bool is_extension(int protocol)
{
	switch (protocol) {
	case IPPROTO_HOPOPTS:
	case IPPROTO_ROUTING:
	case IPPROTO_FRAGMENT:
	case IPPROTO_AH:
	case IPPROTO_DSTOPTS:
		return true;
	default:
		return false;
	}
}

static int extension_bytes(const uint8_t *data, int at, int protocol)
{
	if (protocol == IPPROTO_FRAGMENT)
		return 8;
	return protocol == IPPROTO_AH ? RTE_MAX(8, 4 * (data[at + 1] + 2)) : 8 * (data[at + 1] + 1);
}

static bool ipv6(struct headers *h, const uint8_t *data, int length)
{
	bool has_fragment = false;

	if (h->l3 >= length)
		return end(h, TRUNCATED_IP);
	if (data[h->l3] >> 4 != 6)
		return end(h, BAD_IP_VERSION);
	if (length - h->l3 < 40)
		return end(h, TRUNCATED_IP);
	int at = h->l3 + 40, payload = u16(data + h->l3 + 4), protocol = data[h->l3 + 6];
	int claimed = payload == 0 && protocol == IPPROTO_HOPOPTS ? length : at + payload;

	h->ip_version = 6;
	h->ip_end = RTE_MIN(length, claimed);
	h->defect = claimed > length ? TRUNCATED_PAYLOAD : NONE;
	for (int seen = 0; is_extension(protocol); seen++) {
		int room = h->ip_end - at, type = protocol;

		if (seen == MAX_EXTENSION_HEADERS)
			return end(h, TOO_MANY_EXTENSION_HEADERS);
		if (room < 8 || room < extension_bytes(data, at, type))
			return end(h, TRUNCATED_EXTENSION_HEADER);
		protocol = data[at];
		if (type == IPPROTO_FRAGMENT) {
			if (has_fragment)
				return end(h, NESTED_FRAGMENT);
			has_fragment = true;
			uint16_t fragment = u16(data + at + 2);
			h->fragment_offset = fragment >> 3;
			h->more_fragments = (fragment & 1) != 0;
			if (h->fragment_offset != 0) {
				h->protocol = is_extension(protocol) ? -1 : protocol;
				return true;
			}
		}
		at += extension_bytes(data, at, type);
	}
	h->protocol = protocol;
	upper_layer(h, data, at);
	return true;
}

static bool anything(struct headers *h, const uint8_t *data, int length)
{
	*h = (struct headers){.ether_type = -1, .l3 = -1, .protocol = -1, .ip_end = -1, .l4 = -1};
	if (length < 14)
		return end(h, TRUNCATED_ETHERNET);
	int type = u16(data + 12), at = 14;

	while (h->vlan_tags < MAX_VLAN_TAGS && (type == 0x8100 || type == 0x88A8 || type == 0x9100)) {
		if (length - at < 4)
			return end(h, TRUNCATED_VLAN);
		type = u16(data + at + 2);
		at += 4;
		h->vlan_tags++;
	}
	h->ether_type = type;
	h->l3 = at;
	switch (type) {
	case 0x0800:
		return ipv4(h, data, length);
	case 0x86DD:
		return ipv6(h, data, length);
	default:
		return end(h, NONE);
	}
}

static inline bool scan(const struct rte_mbuf *packet, struct headers *h)
{
	const uint8_t *data = rte_pktmbuf_mtod(packet, const uint8_t *);
	int length = rte_pktmbuf_pkt_len(packet);

	if (likely(length >= 34)) {
		uint64_t words;

		memcpy(&words, data + 12, sizeof(words));
		if ((words & 0xFFFFFF) == 0x450008) {
			h->ether_type = 0x0800;
			h->vlan_tags = 0;
			h->l3 = 14;
			return ipv4_body(h, data, length, 20, rte_bswap16(words >> 32));
		}
	}
	return anything(h, data, length);
}

__attribute__((noinline)) static bool scan_call(const struct rte_mbuf *packet, struct headers *h)
{
	return scan(packet, h);
}

static uint64_t asked(const struct headers *h)
{
	return h->l3 + h->l4 + h->protocol;
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
				struct headers h;                                                                      \
				answer;                                                                                \
			}                                                                                              \
			sink = sum;                                                                                    \
			at = (at + twin->burst) & (packet_count - 1);                                                  \
			twin->counters.received += twin->burst;                                                        \
		}                                                                                                      \
		(void)sink;                                                                                            \
		return 0;                                                                                              \
	}

LOOP(best, if (scan(packet, &h)) sum += asked(&h))
LOOP(call, if (scan_call(packet, &h)) sum += asked(&h))

static int usual(void *argument)
{
	struct twin *twin = argument;
	volatile uint64_t sink;
	uint64_t at = 0, sum = 0;

	while (!twin->stop) {
		for (uint16_t i = 0; i < twin->burst; i++) {
			struct rte_net_hdr_lens lengths;
			uint32_t type = rte_net_get_ptype(packets[at + i], &lengths, RTE_PTYPE_ALL_MASK);

			sum += type + lengths.l2_len + lengths.l3_len;
		}
		sink = sum;
		at = (at + twin->burst) & (packet_count - 1);
		twin->counters.received += twin->burst;
	}
	(void)sink;
	return 0;
}

static uint64_t digest_of_all(void)
{
	uint64_t value = 0;

	for (uint64_t i = 0; i < packet_count; i++) {
		struct headers h;
		bool is_sound = scan(packets[i], &h);
		uint64_t numbers[] = {is_sound, h.ether_type, h.vlan_tags, h.l3, h.ip_version, h.protocol,
				      h.ip_end, h.l4, h.fragment_offset,
				      h.more_fragments || h.fragment_offset != 0, h.l4_fits, h.defect};

		for (size_t k = 0; k < RTE_DIM(numbers); k++)
			value = value * 31 + (uint64_t)(int64_t)(int32_t)numbers[k];
	}
	return value;
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
	packets = frames_read(twin_option("frames", "frames"), FRAMES_SLOT, &packet_count);
	digest = digest_of_all();
	way = twin_option("way", "best");
	if (strcmp(way, "best") == 0)
		return twin_serve(&twin, best, report);
	if (strcmp(way, "call") == 0)
		return twin_serve(&twin, call, report);
	if (strcmp(way, "usual") == 0)
		return twin_serve(&twin, usual, report);
	rte_exit(EXIT_FAILURE, "no such way: way=%s; give best, call or usual\n", way);
}
