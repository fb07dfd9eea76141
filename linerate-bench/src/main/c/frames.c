#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rte_eal.h>

#include "frames.h"

struct rte_mbuf **frames_read(const char *file, uint32_t slot, uint64_t *count)
{
	size_t stride = sizeof(struct rte_mbuf) + slot;
	FILE *stream = fopen(file, "rb");
	struct rte_mbuf **frames;
	uint8_t *memory;

	if (stream == NULL || fseek(stream, 0, SEEK_END) != 0) {
		perror(file);
		exit(2);
	}
	*count = ftell(stream) / slot;
	frames = malloc(*count * sizeof(*frames));
	memory = aligned_alloc(64, *count * stride);
	rewind(stream);
	if (frames == NULL || memory == NULL)
		rte_exit(EXIT_FAILURE, "no memory for frames: frames=%lu\n", *count);
	for (uint64_t i = 0; i < *count; i++) {
		struct rte_mbuf *frame = (struct rte_mbuf *)(memory + i * stride);
		const uint8_t *data = (const uint8_t *)(frame + 1);

		memset(frame, 0, sizeof(*frame));
		frame->buf_addr = frame + 1;
		frame->nb_segs = 1;
		if (fread(frame->buf_addr, slot, 1, stream) != 1)
			rte_exit(EXIT_FAILURE, "frames cannot be read: file=%s\n", file);
		frame->pkt_len = frame->data_len = data[slot - 2] << 8 | data[slot - 1];
		frames[i] = frame;
	}
	fclose(stream);
	return frames;
}
