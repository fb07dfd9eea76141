/*
 * What io.linerate.bench.fabric.CrossingLoop calls: functions that do next to nothing, so that what is measured is the way
 * there and back. Each adds to a sum, by which can be seen that all ways did the same.
 */
#include <stdint.h>
#include <string.h>

static int64_t sum;

int64_t crossing_take_sum(void)
{
	int64_t before = sum;

	sum = 0;
	return before;
}

void crossing_none(void)
{
	sum++;
}

void crossing_one(int32_t a)
{
	sum += a;
}

void crossing_two(int32_t a, int32_t b)
{
	sum += a + b;
}

void crossing_address(const void *memory)
{
	sum += memory != NULL;
}

/* Calls back, again and again. */
void crossing_call(void (*target)(int32_t), int32_t times)
{
	for (int32_t i = 0; i < times; i++)
		target(1);
}

/* Reads and writes what is the caller's, each time anew. */
void crossing_read(const volatile int32_t *value, int32_t times)
{
	for (int32_t i = 0; i < times; i++)
		sum += *value;
}

void crossing_write(volatile int32_t *value, int32_t times)
{
	for (int32_t i = 0; i < times; i++)
		*value = i;
	sum += *value;
}

/* Takes bytes as a function that sends them would: into its own memory. */
void crossing_take(const uint8_t *bytes, int32_t count)
{
	static uint8_t own[4096];

	memcpy(own, bytes, count);
	__asm__ volatile("" : : "r"(own) : "memory");
	sum += own[count - 1];
}

/* Looks at the first byte alone. */
void crossing_look(const uint8_t *bytes)
{
	sum += *bytes;
}
