/*
 * Other addresses and ports for packets of sessions. What their checksums change by is always the same for a direction
 * of a session, and is known with it: RFC 1624, equation 3.
 */
#ifndef LINERATE_REWRITE_H
#define LINERATE_REWRITE_H

#include "session.h"

/* What the checksum of IP changes by, and that of TCP or UDP. */
enum { OF_IP, OF_L4 };

static inline uint16_t rewrite_fold(uint64_t sum)
{
	sum = (sum & 0xFFFFFFFF) + (sum >> 32);
	sum = (sum & 0xFFFF) + (sum >> 16);
	sum = (sum & 0xFFFF) + (sum >> 16);
	return (sum & 0xFFFF) + (sum >> 16);
}

/* All in the order of the network. */
static inline void rewrite_prepare(uint16_t changes[2], uint32_t old_address, uint16_t old_port, uint32_t address,
				   uint16_t port)
{
	uint64_t change = (uint64_t)(uint32_t)~old_address + address;

	changes[OF_IP] = rewrite_fold(change);
	changes[OF_L4] = rewrite_fold(change + (uint16_t)~old_port + port);
}

static inline void rewrite_checksums(uint8_t *data, const uint16_t changes[2], bool is_tcp)
{
	struct rte_ipv4_hdr *ip = (struct rte_ipv4_hdr *)(data + L3);
	rte_be16_t *checksum = (rte_be16_t *)(data + L4 + (is_tcp ? offsetof(struct rte_tcp_hdr, cksum)
								  : offsetof(struct rte_udp_hdr, dgram_cksum)));
	uint32_t sum = (uint16_t)~ip->hdr_checksum + changes[OF_IP];

	ip->hdr_checksum = ~((sum & 0xFFFF) + (sum >> 16));
	if (!is_tcp && *checksum == 0)
		return;
	sum = (uint16_t)~*checksum + changes[OF_L4];
	*checksum = ~((sum & 0xFFFF) + (sum >> 16));
	if (!is_tcp && *checksum == 0)
		*checksum = 0xFFFF;
}

/* The source of packets that go on from who has begun the session: where replies to them go. */
static inline void rewrite_source(uint8_t *data, const struct session *session, bool is_tcp)
{
	uint32_t address = session->flows[1].addresses >> 32;
	uint16_t port = session->flows[1].kind >> 16;

	rewrite_checksums(data, session->changes[0], is_tcp);
	memcpy(data + L3 + offsetof(struct rte_ipv4_hdr, src_addr), &address, sizeof(address));
	memcpy(data + L4, &port, sizeof(port));
}

/* The destination of packets of a direction: where packets of the other one come from. */
static inline void rewrite_destination(uint8_t *data, const struct session *session, int direction, bool is_tcp)
{
	uint32_t address = session->flows[direction ^ 1].addresses;
	uint16_t port = session->flows[direction ^ 1].kind;

	rewrite_checksums(data, session->changes[direction], is_tcp);
	memcpy(data + L3 + offsetof(struct rte_ipv4_hdr, dst_addr), &address, sizeof(address));
	memcpy(data + L4 + sizeof(port), &port, sizeof(port));
}

#endif
