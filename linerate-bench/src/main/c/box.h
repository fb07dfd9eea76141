/* What the twins of middleboxes share: from one port to another, and packets that they are to have seen beforehand. */
#ifndef LINERATE_BOX_H
#define LINERATE_BOX_H

#include "twin.h"

/* What becomes of the packets of a burst. */
struct outcome {
	struct rte_mbuf *sent[MAX_BURST], *dropped[MAX_BURST];
	uint16_t sent_count, dropped_count;
};

/* How many of a burst so far: in a work's own variable, which what it writes into packets cannot change. */
struct tally {
	uint16_t sent, dropped;
};

static inline void box_put(struct outcome *outcome, struct tally *tally, struct rte_mbuf *mbuf, bool is_sent)
{
	if (likely(is_sent))
		outcome->sent[tally->sent++] = mbuf;
	else
		outcome->dropped[tally->dropped++] = mbuf;
}

static inline void box_end(struct outcome *outcome, const struct tally *tally)
{
	outcome->sent_count = tally->sent;
	outcome->dropped_count = tally->dropped;
}

static inline void box_free(struct rte_mbuf **mbufs, uint16_t n, bool frees_as_usual)
{
	struct twin_seen seen = {0};

	for (uint16_t i = 0; i < n && !frees_as_usual; i++)
		twin_see(&seen, mbufs[i], mbufs[0]->pool);
	twin_free(mbufs, n, !frees_as_usual && twin_are_plain(&seen));
}

/* Decides about a burst. */
typedef void (*box_work)(struct rte_mbuf **mbufs, uint16_t n, struct outcome *outcome);

/* Receives, works, transmits and frees until the twin stops. To be inlined with its work. */
static __rte_always_inline int box_run(struct twin *twin, box_work work, bool frees_as_usual)
{
	struct rte_mbuf *mbufs[MAX_BURST];
	static struct outcome outcome;

	while (!twin->stop) {
		uint16_t n = rte_eth_rx_burst(twin->in, 0, mbufs, twin->burst);
		if (n == 0)
			continue;
		work(mbufs, n, &outcome);
		uint16_t sent = rte_eth_tx_burst(twin->out, 0, outcome.sent, outcome.sent_count);
		box_free(outcome.sent + sent, outcome.sent_count - sent, frees_as_usual);
		box_free(outcome.dropped, outcome.dropped_count, frees_as_usual);
		twin->counters.received += n;
		twin->counters.sent += sent;
		twin->counters.dropped += n - sent;
	}
	return 0;
}

/* Lets work see the frames of a capture file, which go nowhere. Nothing if there is no file. */
void box_see(struct twin *twin, const char *file, box_work work);

#endif
