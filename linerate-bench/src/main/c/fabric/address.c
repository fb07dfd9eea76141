/* Addresses on the command line, and how the peers of a connectionless endpoint come to know each other. */
#include "twin.h"

#include <stdio.h>
#include <string.h>

/* Names of shm are addresses with a scheme. */
void shm_address(const char *name, char *to, size_t room)
{
	if ((size_t)snprintf(to, room, "fi_shm://%s", name) >= room)
		refuse("name too long: name=%s, most=%zu; give a shorter one", name, room - 10);
}

/* "host:port" in two; the port points into the text. */
void split_address(const char *text, char *host, size_t room, const char **port)
{
	const char *colon = strrchr(text, ':');

	if (colon == NULL || colon == text || colon[1] == '\0' || (size_t)(colon - text) >= room)
		refuse("not an address: address=%s; give host:port", text);
	memcpy(host, text, colon - text);
	host[colon - text] = '\0';
	*port = colon + 1;
}

static void insert(struct fabric *fabric, const void *address)
{
	int inserted = fi_av_insert(fabric->addresses, address, 1, &fabric->peer, 0, NULL);

	if (inserted != 1)
		die("address not taken: provider=%s, inserted=%d; give another one", fabric->options->provider, inserted);
}

static void say_own_address(struct fabric *fabric)
{
	static uint8_t own[256];
	size_t length = sizeof(own);

	require(fi_getname(&fabric->endpoint->fid, own, &length), "fi_getname");
	send_whole(fabric, own, length);
}

/* The client's address of the server: on shm that of its name. */
static void insert_server(struct fabric *fabric)
{
	char address[256]; /* of a peer in Java, whose names are longer than FI_NAME_MAX */

	if (fabric->info->dest_addr != NULL && strcmp(fabric->options->provider, "shm") != 0) {
		insert(fabric, fabric->info->dest_addr);
	} else {
		shm_address(fabric->options->connect, address, sizeof(address));
		insert(fabric, address);
	}
}

/*
 * Learns the peer's address, where there are no connections: a client knows the server's from its command line and sends
 * its own as the first message. A server has posted a receive before, with this buffer and context, which is posted again.
 * On shm, too: the provider of 1.17 ends a server that inserts the name of a client before there is such.
 */
void meet(struct fabric *fabric, void *buffer, size_t room, void *context)
{
	struct fi_cq_data_entry entry;

	if (fabric->addresses == NULL)
		return;
	if (is_server(fabric->options)) {
		await(fabric, fabric->receives, &entry, 1);
		insert(fabric, buffer);
		post_receive(fabric, buffer, room, context);
	} else {
		insert_server(fabric);
		say_own_address(fabric);
	}
}
