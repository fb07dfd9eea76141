/*
 * The windows of TCP, as io.linerate.track.TcpState follows them, which says more: van Rooij, Real Stateful TCP Packet
 * Filtering in IP Filter, 2001. A connection that is closed is not opened again: none is in a benchmark.
 */
#ifndef LINERATE_TCP_H
#define LINERATE_TCP_H

#include "session.h"

#define SEEN_SYN 1
#define SYN_ACKED 2
#define SEEN_FIN 4
#define FIN_ACKED 8
#define SCALES 16
#define LIBERAL 32 /* seen from the middle on: its windows are not known */
#define SYN_WINDOW 64
#define SEEN_RST 128

#define LEAST_ACK_WINDOW 66000
#define MOST_SEGMENT_BYTES 65535
#define MOST_EARLY_DATA 16384

enum answer { ACCEPTED, CHALLENGED, OUTSIDE };

/* A segment, in the order of the processor. */
struct segment {
	uint32_t sequence, acknowledgment, end;
	uint32_t payload_bytes;
	uint16_t window;
	uint8_t flags;
	const uint8_t *header;
};

static inline struct segment tcp_read(const uint8_t *data)
{
	const struct rte_ipv4_hdr *ip = (const struct rte_ipv4_hdr *)(data + L3);
	const struct rte_tcp_hdr *tcp = (const struct rte_tcp_hdr *)(data + L4);
	struct segment segment = {
		.sequence = rte_be_to_cpu_32(tcp->sent_seq),
		.acknowledgment = rte_be_to_cpu_32(tcp->recv_ack),
		.payload_bytes = rte_be_to_cpu_16(ip->total_length) - sizeof(*ip) - (tcp->data_off >> 4) * 4,
		.window = rte_be_to_cpu_16(tcp->rx_win),
		.flags = tcp->tcp_flags,
		.header = data + L4,
	};

	segment.end = segment.sequence + segment.payload_bytes + ((segment.flags & RTE_TCP_SYN_FLAG) != 0) +
		      ((segment.flags & RTE_TCP_FIN_FLAG) != 0);
	return segment;
}

static inline bool tcp_are_flags_bad(uint8_t flags)
{
	switch (flags & (RTE_TCP_SYN_FLAG | RTE_TCP_FIN_FLAG | RTE_TCP_RST_FLAG)) {
	case 0:
	case RTE_TCP_FIN_FLAG:
		return (flags & RTE_TCP_ACK_FLAG) == 0;
	case RTE_TCP_SYN_FLAG:
	case RTE_TCP_RST_FLAG:
		return false;
	default:
		return true;
	}
}

static inline bool tcp_is_syn(uint8_t flags)
{
	return (flags & (RTE_TCP_SYN_FLAG | RTE_TCP_ACK_FLAG | RTE_TCP_RST_FLAG | RTE_TCP_FIN_FLAG)) == RTE_TCP_SYN_FLAG;
}

/* The option of window scale, RFC 7323, section 2.2. */
static inline void tcp_read_scale(struct tcp_side *side, const struct segment *segment)
{
	const uint8_t *at = segment->header + sizeof(struct rte_tcp_hdr);
	const uint8_t *end = segment->header + (segment->header[12] >> 4) * 4;

	side->flags &= ~SCALES;
	side->scale = 0;
	while (at + 2 < end && *at != 0) {
		if (*at == 3) {
			side->flags |= SCALES;
			side->scale = RTE_MIN(at[2], 14);
			return;
		}
		at += *at == 1 ? 1 : RTE_MAX(at[1], 2);
	}
}

static inline void tcp_begin(struct session *session, const struct segment *segment)
{
	struct tcp_side *own = &session->tcp[0];

	own->flags = SEEN_SYN | SYN_WINDOW;
	tcp_read_scale(own, segment);
	own->end = own->most = segment->end;
	own->acknowledged = segment->sequence;
	own->window = segment->window;
}

static inline void tcp_pick_up(struct session *session, const struct segment *segment)
{
	struct tcp_side *own = &session->tcp[0], *other = &session->tcp[1];

	own->flags = SEEN_SYN | SYN_ACKED | LIBERAL | (segment->flags & RTE_TCP_FIN_FLAG ? SEEN_FIN : 0);
	other->flags = SEEN_SYN | SYN_ACKED | LIBERAL;
	own->end = own->most = segment->end;
	other->end = other->most = segment->acknowledgment;
	own->acknowledged = segment->acknowledgment;
	other->acknowledged = segment->sequence;
	own->window = segment->window;
}

static inline uint32_t tcp_bytes(const struct tcp_side *own, const struct tcp_side *other)
{
	bool is_scaled = (own->flags & SYN_WINDOW) == 0 && (own->flags & other->flags & SCALES) != 0;

	return (uint32_t)own->window << (is_scaled ? own->scale : 0);
}

static inline bool tcp_is_in_window(const struct tcp_side *own, const struct tcp_side *other,
				    const struct segment *segment)
{
	int32_t left = own->most - segment->sequence;
	int32_t behind = own->end - segment->end;
	int32_t window = RTE_MAX(tcp_bytes(other, own), 1u);

	return left >= (segment->payload_bytes == 0 ? 0 : 1) && left <= 2LL * window + MOST_SEGMENT_BYTES &&
	       behind <= window;
}

static inline enum answer tcp_syn_ack(struct tcp_side *own, struct tcp_side *other, const struct segment *segment,
				      bool is_beginner)
{
	if ((other->flags & SEEN_SYN) == 0)
		return OUTSIDE;
	if ((own->flags & other->flags & SYN_ACKED) != 0)
		return is_beginner ? OUTSIDE : CHALLENGED;
	if (segment->acknowledgment != other->end)
		return OUTSIDE;
	own->flags |= SEEN_SYN | SYN_WINDOW;
	tcp_read_scale(own, segment);
	own->end = segment->end;
	own->most = segment->end + RTE_MAX(other->window, 1);
	other->most = segment->acknowledgment + RTE_MAX(segment->window, 1);
	own->acknowledged = segment->acknowledgment;
	own->window = segment->window;
	other->flags |= SYN_ACKED;
	return ACCEPTED;
}

static inline void tcp_advance(struct tcp_side *own, struct tcp_side *other, const struct segment *segment)
{
	if (own->flags & SYN_WINDOW) {
		own->flags &= ~SYN_WINDOW;
		own->window = segment->window;
	} else if (segment->window > own->window) {
		own->window = segment->window;
	}
	uint32_t window = (uint32_t)segment->window << ((own->flags & other->flags & SCALES) != 0 ? own->scale : 0);
	if ((int32_t)(segment->end - own->end) > 0)
		own->end = segment->end;
	uint32_t most = segment->acknowledgment + RTE_MAX(window, 1u);
	if ((int32_t)(most - other->most) > 0)
		other->most = most;
	if ((int32_t)(segment->acknowledgment - own->acknowledged) > 0)
		own->acknowledged = segment->acknowledgment;
	if (segment->flags & RTE_TCP_FIN_FLAG)
		own->flags |= SEEN_FIN;
	if ((other->flags & SEEN_FIN) && segment->acknowledgment == other->end)
		other->flags |= FIN_ACKED;
}

static inline enum answer tcp_any(struct tcp_side *own, struct tcp_side *other, const struct segment *segment)
{
	if ((own->flags & SEEN_SYN) == 0 || (other->flags & SEEN_SYN) == 0)
		return (other->flags & SEEN_SYN) != 0 && (own->flags & SEEN_SYN) == 0 ? CHALLENGED : OUTSIDE;
	int32_t behind = other->end - segment->acknowledgment;
	int32_t most_behind = RTE_MAX(tcp_bytes(own, other), (uint32_t)LEAST_ACK_WINDOW);
	if ((own->flags & LIBERAL) == 0 &&
	    (!tcp_is_in_window(own, other, segment) || behind < 0 || behind > most_behind))
		return OUTSIDE;
	if ((other->flags & SYN_ACKED) == 0) {
		if (behind > MOST_EARLY_DATA)
			return OUTSIDE;
		other->flags |= SYN_ACKED;
	}
	tcp_advance(own, other, segment);
	return ACCEPTED;
}

/*
 * What most packets are: of an open connection, inside its windows if these are known, with ACK and none of SYN, FIN and
 * RST. If not, nothing has changed.
 */
static inline bool tcp_follow_open(struct tcp_side *own, struct tcp_side *other, const struct segment *segment)
{
	const uint8_t ends = RTE_TCP_SYN_FLAG | RTE_TCP_FIN_FLAG | RTE_TCP_RST_FLAG | RTE_TCP_ACK_FLAG;
	const uint8_t open = SEEN_SYN | SYN_ACKED;
	uint8_t both = own->flags & other->flags;

	if ((segment->flags & ends) != RTE_TCP_ACK_FLAG || (both & open) != open ||
	    ((own->flags | other->flags) & (SEEN_FIN | FIN_ACKED | SYN_WINDOW | SEEN_RST)) != 0)
		return false;
	uint8_t scale = both & SCALES ? own->scale : 0;
	if ((own->flags & LIBERAL) == 0) {
		int32_t offered = RTE_MAX((uint32_t)other->window << (both & SCALES ? other->scale : 0), 1u);
		int32_t left = own->most - segment->sequence;
		int32_t behind = other->end - segment->acknowledgment;
		int32_t most_behind = RTE_MAX((uint32_t)own->window << scale, (uint32_t)LEAST_ACK_WINDOW);
		if (left < (segment->payload_bytes == 0 ? 0 : 1) || left > 2LL * offered + MOST_SEGMENT_BYTES ||
		    (int32_t)(own->end - segment->end) > offered || behind < 0 || behind > most_behind)
			return false;
	}
	own->window = RTE_MAX(own->window, segment->window);
	if ((int32_t)(segment->end - own->end) > 0)
		own->end = segment->end;
	uint32_t most = segment->acknowledgment + RTE_MAX((uint32_t)segment->window << scale, 1u);
	if ((int32_t)(most - other->most) > 0)
		other->most = most;
	if ((int32_t)(segment->acknowledgment - own->acknowledged) > 0)
		own->acknowledged = segment->acknowledgment;
	return true;
}

/* A packet that was looked up and tells nothing new of its session, which is up to date then; else nothing changes. */
static inline bool session_follow(struct sessions *all, struct rte_mbuf *mbuf, const struct lookup *lookup,
				  uint64_t now_ns)
{
	if (!lookup->is_flow || lookup->place == NO_SESSION || !session_is(all, lookup->place, &lookup->flow))
		return false;
	struct session *session = &all->records[lookup->place >> 1];
	int direction = lookup->place & 1;
	if (session->expires_ns <= now_ns)
		return false;
	if (session->phase == TCP_ESTABLISHED) {
		struct segment segment = tcp_read(rte_pktmbuf_mtod(mbuf, const uint8_t *));
		if ((direction != 0 && (session->state & REPLIED) == 0) ||
		    !tcp_follow_open(&session->tcp[direction], &session->tcp[direction ^ 1], &segment))
			return false;
	} else if (session->phase == UDP_ANSWERED ? (session->state & ASSURED) == 0
						  : session->phase != UDP_UNANSWERED || direction != 0) {
		return false;
	}
	session->expires_ns = now_ns + all->timeouts_ns[session->phase];
	session->packets[direction]++;
	session->bytes[direction] += rte_pktmbuf_pkt_len(mbuf);
	return true;
}

static inline enum answer tcp_follow(struct session *session, int direction, const struct segment *segment)
{
	struct tcp_side *own = &session->tcp[direction];
	struct tcp_side *other = &session->tcp[direction ^ 1];

	if (segment->flags & RTE_TCP_RST_FLAG) {
		if (segment->sequence != own->end && segment->sequence != other->acknowledged)
			return OUTSIDE;
		own->flags |= SEEN_RST;
		return ACCEPTED;
	}
	if (segment->flags & RTE_TCP_SYN_FLAG) {
		if (segment->flags & RTE_TCP_ACK_FLAG)
			return tcp_syn_ack(own, other, segment, direction == 0);
		return direction == 0 ? CHALLENGED : OUTSIDE;
	}
	return tcp_any(own, other, segment);
}

static inline enum phase tcp_phase(const struct session *session)
{
	uint8_t both = session->tcp[0].flags & session->tcp[1].flags;
	uint8_t either = session->tcp[0].flags | session->tcp[1].flags;

	if ((either & SEEN_RST) != 0 || (both & FIN_ACKED) != 0)
		return TCP_CLOSED;
	if (either & SEEN_FIN)
		return TCP_CLOSING;
	return both & SYN_ACKED ? TCP_ESTABLISHED : TCP_OPENING;
}

/* What a packet is that was looked up; a session that it is of is up to date then. */
static inline enum relation session_track(struct sessions *all, struct rte_mbuf *mbuf, struct lookup *lookup,
					  uint64_t now_ns)
{
	const uint8_t *data = rte_pktmbuf_mtod(mbuf, const uint8_t *);
	const struct rte_ipv4_hdr *ip = (const struct rte_ipv4_hdr *)(data + L3);
	struct segment segment = {0};
	bool is_tcp = lookup->flow.kind >> 32 == IPPROTO_TCP;

	if (likely(session_follow(all, mbuf, lookup, now_ns)))
		return ESTABLISHED;
	if (!lookup->is_flow)
		return lookup->is_bad ? INVALID : UNTRACKED;
	if (is_tcp) {
		segment = tcp_read(data);
		if (tcp_are_flags_bad(segment.flags))
			return INVALID;
		if ((segment.flags & 7) != 0 && rte_ipv4_udptcp_cksum(ip, data + L4) != 0)
			return INVALID;
	}
	if (lookup->place == NO_SESSION || !session_is(all, lookup->place, &lookup->flow))
		lookup->place = session_find(all, &lookup->flow, lookup->hash);
	if (lookup->place == NO_SESSION)
		return is_tcp && !tcp_is_syn(segment.flags) && !(all->picks_up && !(segment.flags & RTE_TCP_RST_FLAG))
			       ? INVALID
			       : FRESH;
	struct session *session = &all->records[lookup->place >> 1];
	int direction = lookup->place & 1;
	if (is_tcp) {
		enum answer answer = tcp_follow(session, direction, &segment);
		if (answer == OUTSIDE)
			return INVALID;
		if (answer == ACCEPTED) {
			enum phase phase = tcp_phase(session);
			session->phase = phase;
			session->state |= (direction == 0 ? 0 : REPLIED) | (phase == TCP_ESTABLISHED ? ASSURED : 0);
			session->expires_ns = now_ns + all->timeouts_ns[phase];
		}
	} else {
		if (direction != 0) {
			session->state |= REPLIED | ASSURED;
			session->phase = UDP_ANSWERED;
		}
		session->expires_ns = now_ns + all->timeouts_ns[session->phase];
	}
	session->packets[direction]++;
	session->bytes[direction] += rte_pktmbuf_pkt_len(mbuf);
	return ESTABLISHED;
}

/* Begins the session of a packet that is FRESH. */
static inline uint32_t session_admit(struct sessions *all, struct rte_mbuf *mbuf, struct lookup *lookup,
				     const struct flow *reply, uint64_t now_ns)
{
	bool is_tcp = lookup->flow.kind >> 32 == IPPROTO_TCP;
	uint32_t number = session_add(all, &lookup->flow, reply, is_tcp ? TCP_OPENING : UDP_UNANSWERED, now_ns);

	if (number == NO_SESSION)
		return number;
	struct session *session = &all->records[number];
	if (is_tcp) {
		struct segment segment = tcp_read(rte_pktmbuf_mtod(mbuf, const uint8_t *));
		if (tcp_is_syn(segment.flags)) {
			tcp_begin(session, &segment);
		} else {
			tcp_pick_up(session, &segment);
			session->phase = tcp_phase(session);
			session->expires_ns = now_ns + all->timeouts_ns[session->phase];
		}
	}
	session->packets[0]++;
	session->bytes[0] += rte_pktmbuf_pkt_len(mbuf);
	lookup->place = 2 * number;
	return number;
}

#endif
