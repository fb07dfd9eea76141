#include "box.h"

#include <stdio.h>
#include <stdlib.h>

struct record {
	uint32_t seconds, fraction, captured, length;
};

#define FILE_HEADER_BYTES 24

static uint16_t read_burst(struct twin *twin, FILE *stream, struct rte_mbuf **mbufs)
{
	struct record record;
	uint16_t n = 0;

	while (n < twin->burst && fread(&record, sizeof(record), 1, stream) == 1) {
		struct rte_mbuf *mbuf = rte_pktmbuf_alloc(twin->pool);
		char *data = mbuf == NULL ? NULL : rte_pktmbuf_append(mbuf, record.captured);
		if (data == NULL || fread(data, record.captured, 1, stream) != 1)
			rte_exit(EXIT_FAILURE, "frame cannot be read: bytes=%u\n", record.captured);
		mbufs[n++] = mbuf;
	}
	return n;
}

void box_see(struct twin *twin, const char *file, box_work work)
{
	struct rte_mbuf *mbufs[MAX_BURST];
	struct outcome outcome;

	if (*file == '\0')
		return;
	FILE *stream = fopen(file, "rb");
	if (stream == NULL || fseek(stream, FILE_HEADER_BYTES, SEEK_SET) != 0)
		rte_exit(EXIT_FAILURE, "cannot be read: file=%s\n", file);
	for (uint16_t n = read_burst(twin, stream, mbufs); n > 0; n = read_burst(twin, stream, mbufs)) {
		work(mbufs, n, &outcome);
		rte_pktmbuf_free_bulk(mbufs, n);
	}
	fclose(stream);
}
