/*
 * The native side of the benchmark `language`: algorithm 1 of the thesis, in C, and the half of it that runs natively when
 * the other half is Java.
 */
#include <stdint.h>
#include <stdlib.h>

#include <jni.h>

#define EXPORT __attribute__((visibility("default")))
#define JNI(name) JNICALL Java_io_linerate_bench_language_LanguageLibrary_##name
#define SEED 2463534242u

struct packet {
	int32_t a;
	int32_t b;
	int32_t c;
	int32_t d;
	int32_t e;
	int32_t result;
};

/* Marsaglia's xorshift with 32 bits, "Xorshift RNGs" (2003), section 3: the same numbers in C and in Java. */
static inline int32_t random_int(uint32_t *state)
{
	uint32_t x = *state;

	x ^= x << 13;
	x ^= x >> 17;
	x ^= x << 5;
	*state = x;
	return (int32_t)x;
}

static inline void populate(struct packet *packet, uint32_t *state)
{
	packet->a = random_int(state);
	packet->b = random_int(state);
	packet->c = random_int(state);
	packet->d = random_int(state);
	packet->e = random_int(state);
}

static inline void process(struct packet *packet)
{
	packet->result =
	    (int32_t)((uint32_t)packet->a * (uint32_t)packet->b * (uint32_t)packet->c * (uint32_t)packet->d *
	              (uint32_t)packet->e);
}

/* All of it; returns the sum of the results. */
EXPORT int32_t language_c(int32_t packets)
{
	uint32_t state = SEED;
	uint32_t sum = 0;

	for (int32_t i = 0; i < packets; i++) {
		struct packet packet;
		populate(&packet, &state);
		process(&packet);
		sum += (uint32_t)packet.result;
	}
	return (int32_t)sum;
}

/* The same with packets from malloc. */
EXPORT int32_t language_malloc(int32_t packets)
{
	uint32_t state = SEED;
	uint32_t sum = 0;

	for (int32_t i = 0; i < packets; i++) {
		struct packet *packet = malloc(sizeof(*packet));
		if (packet == NULL)
			abort();
		populate(packet, &state);
		process(packet);
		sum += (uint32_t)packet->result;
		free(packet);
	}
	return (int32_t)sum;
}

/* --- what is native when Java processes --- */

static uint32_t library_state;
static struct packet library_packet;
static uint32_t library_sum;

EXPORT void language_start(void)
{
	library_state = SEED;
	library_sum = 0;
}

/* Fills packets. */
EXPORT void language_populate(struct packet *packets, int32_t count)
{
	for (int32_t i = 0; i < count; i++)
		populate(&packets[i], &library_state);
}

/* Takes the results that were left in packets; returns the sum of all until now. */
EXPORT int32_t language_collect(const struct packet *packets, int32_t count)
{
	for (int32_t i = 0; i < count; i++)
		library_sum += (uint32_t)packets[i].result;
	return (int32_t)library_sum;
}

static jfieldID fields[5];

JNIEXPORT void JNI(findFields)(JNIEnv *env, jclass class, jclass packets)
{
	static const char *const names[] = {"a", "b", "c", "d", "e"};

	(void)class;
	for (int i = 0; i < 5; i++) {
		fields[i] = (*env)->GetFieldID(env, packets, names[i], "I");
		if (fields[i] == NULL)
			return; /* The exception that is pending says which. */
	}
}

JNIEXPORT void JNI(populate)(JNIEnv *env, jclass class, jobject packet)
{
	(void)class;
	populate(&library_packet, &library_state);
	(*env)->SetIntField(env, packet, fields[0], library_packet.a);
	(*env)->SetIntField(env, packet, fields[1], library_packet.b);
	(*env)->SetIntField(env, packet, fields[2], library_packet.c);
	(*env)->SetIntField(env, packet, fields[3], library_packet.d);
	(*env)->SetIntField(env, packet, fields[4], library_packet.e);
}

JNIEXPORT jint JNI(result)(JNIEnv *env, jclass class, jint result)
{
	(void)env;
	(void)class;
	library_packet.result = result;
	return language_collect(&library_packet, 1);
}
