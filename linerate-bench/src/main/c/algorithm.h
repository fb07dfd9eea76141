/* Which of the algorithms of rte_acl is used. */
#ifndef LINERATE_ALGORITHM_H
#define LINERATE_ALGORITHM_H

#include <stdint.h>

#include <rte_acl.h>

/* Takes the fastest here for some keys, by the best of many looks, since other programs are starting meanwhile. */
void choose_algorithm(struct rte_acl_ctx *context, const uint8_t **keys, uint32_t count);

#endif
