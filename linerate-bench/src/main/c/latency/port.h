/* What the programs of `latency` share: two ports of one queue each, and time. */
#ifndef LINERATE_LATENCY_PORT_H
#define LINERATE_LATENCY_PORT_H

#include <stdbool.h>
#include <stdint.h>

#include <rte_ethdev.h>
#include <rte_mbuf.h>

#define BURST 32

/* The byte of a frame that a forwarder adds one to, so that it has to touch the packet: the last one of the source address. */
#define TOUCHED_BYTE 11

/* Starts the EAL, a pool, and ports 0 and 1. Ends the process with a message on failure. Returns the arguments used. */
int ports_open(int argc, char **argv, struct rte_mempool **pool);

/* Waits until both ports have a peer: whether they did within the time. */
bool ports_await_peers(unsigned int timeout_ms);

void ports_close(void);

#endif
