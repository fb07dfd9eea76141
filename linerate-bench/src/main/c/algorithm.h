/* How rte_acl builds its tables, and which of its algorithms is used. */
#ifndef LINERATE_ALGORITHM_H
#define LINERATE_ALGORITHM_H

#include <stdint.h>

#include <rte_acl.h>

/*
 * Builds the tables of a context, and takes the algorithm that is the fastest here for some keys, by the best of many looks,
 * since other programs are starting meanwhile. By default DPDK splits rules into many tries early, to save memory; with a
 * limit for it, only where they do not fit. Several are tried; with limit=FILE among the options of twin.h the fastest is
 * written into the file, and what a file says that is there already is taken. Returns 0, or what rte_acl_build says.
 */
int build_fastest(struct rte_acl_ctx *context, struct rte_acl_config *config, const uint8_t **keys, uint32_t count);

#endif
