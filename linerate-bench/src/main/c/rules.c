#include "rules.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int protocol(const char *name)
{
	if (strcmp(name, "tcp") == 0)
		return IPPROTO_TCP;
	if (strcmp(name, "udp") == 0)
		return IPPROTO_UDP;
	return strcmp(name, "icmp") == 0 ? IPPROTO_ICMP : atoi(name);
}

static void add(struct rules *rules, char *address, const char *protocol_name)
{
	char *slash = strchr(address, '/');
	int prefix = slash == NULL ? 32 : atoi(slash + 1);
	struct in_addr source;

	if (slash != NULL)
		*slash = 0;
	if (inet_pton(AF_INET, address, &source) != 1) {
		fprintf(stderr, "twin: not an IPv4 address: address=%s\n", address);
		exit(2);
	}
	uint64_t mask = prefix == 0 ? 0 : 0xFFFFFFFFu << (32 - prefix);
	uint64_t value = ntohl(source.s_addr) & mask;
	if (protocol_name != NULL) {
		mask |= 0xFFull << PROTOCOL_SHIFT;
		value |= (uint64_t)protocol(protocol_name) << PROTOCOL_SHIFT;
	}
	rules->masks[rules->count] = mask;
	rules->values[rules->count++] = value;
}

static int count_lines(FILE *stream)
{
	int lines = 0;
	for (int c = getc(stream); c != EOF; c = getc(stream))
		lines += c == '\n';
	rewind(stream);
	return lines;
}

void rules_read(struct rules *rules, const char *file)
{
	FILE *stream = fopen(file, "r");
	char line[128], verdict[8], source[64], name[16];
	bool passes_by_default = true;

	if (stream == NULL) {
		perror(file);
		exit(2);
	}
	int most = count_lines(stream) + 2;
	rules->masks = calloc(most, sizeof(*rules->masks));
	rules->values = calloc(most, sizeof(*rules->values));
	rules->passes = calloc(most, sizeof(*rules->passes));
	rules->hits = calloc(most, sizeof(*rules->hits));
	while (fgets(line, sizeof(line), stream) != NULL) {
		int words = sscanf(line, "%7s %63s %15s", verdict, source, name);
		if (words == 2 && strcmp(verdict, "default") == 0) {
			passes_by_default = strcmp(source, "pass") == 0;
		} else if (words >= 2) {
			rules->passes[rules->count] = strcmp(verdict, "pass") == 0;
			add(rules, source, words == 3 ? name : NULL);
		}
	}
	rules->passes[rules->count] = passes_by_default;
	rules->passes[rules->count + 1] = false;
	fclose(stream);
}
