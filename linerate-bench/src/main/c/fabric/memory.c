/* Buffers, numbers in little endian, and the pattern by which verified peers know each other's bytes. */
#include "twin.h"

#include <string.h>
#include <sys/mman.h>

#define HUGE_BYTES (2u << 20)
#define GOLDEN 0x9E3779B97F4A7C15u

/* Memory whose pages are there, so that none is made while it is measured; whole large pages where the kernel has them. */
uint8_t *memory_of(size_t bytes)
{
	size_t room = (bytes + HUGE_BYTES) & ~(size_t)(HUGE_BYTES - 1);
	uint8_t *at = mmap(NULL, room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (at == MAP_FAILED)
		die("no memory: bytes=%zu; give smaller sizes or a smaller window", room);
	madvise(at, room, MADV_HUGEPAGE);
	memset(at, 0, room);
	return at;
}

void put_u64(uint8_t *at, uint64_t value)
{
	for (int i = 0; i < 8; i++)
		at[i] = value >> (8 * i);
}

uint64_t get_u64(const uint8_t *at)
{
	uint64_t value = 0;

	for (int i = 0; i < 8; i++)
		value |= (uint64_t)at[i] << (8 * i);
	return value;
}

static uint64_t next_word(uint64_t *state)
{
	uint64_t z = *state += GOLDEN;

	z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
	z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
	return z ^ (z >> 31);
}

static uint64_t first_state(uint64_t seed, uint64_t number)
{
	return seed ^ (number + 1) * GOLDEN;
}

/* The bytes of message number of a seed: words of SplitMix64 in little endian, the last one cut. */
void fill_pattern(uint8_t *to, size_t bytes, uint64_t seed, uint64_t number)
{
	uint64_t state = first_state(seed, number);
	uint8_t word[8];

	for (size_t at = 0; at < bytes; at += 8) {
		put_u64(word, next_word(&state));
		memcpy(to + at, word, bytes - at < 8 ? bytes - at : 8);
	}
}

/* The offset of the first byte that is not that of the pattern; -1 if all are. */
long find_difference(const uint8_t *bytes, size_t length, uint64_t seed, uint64_t number)
{
	uint64_t state = first_state(seed, number);
	uint8_t word[8];

	for (size_t at = 0; at < length; at += 8) {
		put_u64(word, next_word(&state));
		for (size_t i = 0; i < 8 && at + i < length; i++)
			if (bytes[at + i] != word[i])
				return at + i;
	}
	return -1;
}

/* FNV-1a of 64 bits. */
uint64_t checksum(const uint8_t *bytes, size_t length)
{
	uint64_t sum = 0xCBF29CE484222325u;

	for (size_t i = 0; i < length; i++)
		sum = (sum ^ bytes[i]) * 0x100000001B3u;
	return sum;
}
