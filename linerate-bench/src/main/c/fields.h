/* Rules about five fields in an rte_acl, by the fastest of its algorithms. */
#ifndef LINERATE_FIELDS_H
#define LINERATE_FIELDS_H

#include <stdint.h>

#include <rte_acl.h>
#include <rte_byteorder.h>

/* rte_acl wants the field of one byte first. */
struct key {
	uint8_t protocol;
	uint8_t zero[3];
	rte_be32_t source;
	rte_be32_t destination;
	rte_be16_t source_port;
	rte_be16_t destination_port;
};

/*
 * Reads rules in the format of ClassBench and of DPDK's l3fwd,
 *
 *   @SOURCE/BITS DESTINATION/BITS FIRST : LAST FIRST : LAST PROTOCOL/MASK
 *
 * with the ports of source and destination. Rule n has n and one more as its user data. Ends the process if it cannot.
 */
struct rte_acl_ctx *fields_read(const char *file, uint32_t *count);

/* Builds the table that is the fastest for keys like these. */
void fields_build(struct rte_acl_ctx *context, const uint8_t **keys, uint32_t count);

#endif
