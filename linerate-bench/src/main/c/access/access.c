/*
 * The native side of the benchmark `access`: a packet is received into a struct, its owner reads and changes it, and what
 * was written back is sent. Sending is folding the struct into a checksum, so that no compiler can leave a write out, and
 * so that all contestants can be seen to have done the same work.
 *
 * The struct is in network byte order, as packets are.
 */
#include <endian.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <jni.h>

#define EXPORT __attribute__((visibility("default")))
#define MAX_BURST 512
#define JNI(name) JNICALL Java_io_linerate_bench_access_AccessLibrary_##name

struct record {
	uint32_t source;
	uint32_t destination;
	uint16_t source_port;
	uint16_t destination_port;
	uint32_t sequence;
	uint8_t ttl;
	uint8_t protocol;
	uint16_t checksum;
	uint32_t mark;
} __attribute__((packed));

_Static_assert(sizeof(struct record) == 24, "three words");

static struct record own;
static struct record *records[MAX_BURST] = {&own};
static int count = 1;
static uint64_t serial;
static uint64_t sum;

/* Reads each field as it was written: a load that spans two stores would wait for both to reach the cache. */
static void fold(const struct record *record)
{
	uint64_t words[3];

	words[0] = (uint64_t)record->source << 32 | record->destination;
	words[1] = (uint64_t)record->source_port << 48 | (uint64_t)record->destination_port << 32 | record->sequence;
	words[2] = (uint64_t)record->ttl << 24 | (uint64_t)record->protocol << 16 | record->checksum;
	sum = (sum << 5 | sum >> 59) ^ (words[0] + words[1] * 3 + words[2] * 5);
}

static void fill(struct record *record)
{
	uint64_t words[3];

	serial++;
	words[0] = serial * 0x9E3779B97F4A7C15u;
	words[1] = serial * 0xC2B2AE3D27D4EB4Fu;
	words[2] = serial * 0x165667B19E3779F9u;
	memcpy(record, words, sizeof(words));
}

/* Says where packets are received: into count structs at these addresses, or without any into one of the library's own. */
EXPORT void access_use(struct record *const *addresses, int addresses_count)
{
	count = addresses_count < 1 ? 1 : addresses_count > MAX_BURST ? MAX_BURST : addresses_count;
	for (int i = 0; i < count; i++)
		records[i] = addresses_count < 1 ? &own : addresses[i];
	serial = 0;
	sum = 0;
	for (int i = 0; i < count; i++)
		memset(records[i], 0, sizeof(struct record));
}

/* Sends what was written back, and receives as many. As a driver's function, it is not inlined into its caller. */
EXPORT __attribute__((noinline)) struct record *access_next(void)
{
	for (int i = 0; i < count; i++) {
		fold(records[i]);
		fill(records[i]);
	}
	return records[0];
}

/* Sends the last ones. */
EXPORT int64_t access_finish(void)
{
	for (int i = 0; i < count; i++)
		fold(records[i]);
	return (int64_t)sum;
}

/* What every contestant does with a packet: all fields are read, all but the protocol and the mark change. */
static inline void answer(struct record *record)
{
	uint32_t source = record->source;
	uint16_t source_port = record->source_port;

	record->source = record->destination;
	record->destination = source;
	record->source_port = record->destination_port;
	record->destination_port = source_port;
	record->sequence = htobe32(be32toh(record->sequence) + 1);
	record->ttl--;
	record->checksum = htobe16((uint16_t)(be16toh(record->checksum) + record->protocol));
}

/* The contestant `c`. */
EXPORT int64_t access_plain(int64_t packets)
{
	for (int64_t done = 0; done < packets; done += count) {
		access_next();
		for (int i = 0; i < count; i++)
			answer(records[i]);
	}
	return access_finish();
}

/* --- objects through JNI: a setter and a getter of the object for each field, looked up each time, as in 2015 --- */

static void call_setter(JNIEnv *env, jobject packet, const char *name, jint value)
{
	jmethodID id = (*env)->GetMethodID(env, (*env)->GetObjectClass(env, packet), name, "(I)V");

	(*env)->CallVoidMethod(env, packet, id, value);
}

static jint call_getter(JNIEnv *env, jobject packet, const char *name)
{
	jmethodID id = (*env)->GetMethodID(env, (*env)->GetObjectClass(env, packet), name, "()I");

	return (*env)->CallIntMethod(env, packet, id);
}

JNIEXPORT void JNI(nextBySetters)(JNIEnv *env, jclass class, jobject packet)
{
	const struct record *record = access_next();

	(void)class;
	call_setter(env, packet, "source", (jint)be32toh(record->source));
	call_setter(env, packet, "destination", (jint)be32toh(record->destination));
	call_setter(env, packet, "sourcePort", be16toh(record->source_port));
	call_setter(env, packet, "destinationPort", be16toh(record->destination_port));
	call_setter(env, packet, "sequence", (jint)be32toh(record->sequence));
	call_setter(env, packet, "ttl", record->ttl);
	call_setter(env, packet, "protocol", record->protocol);
	call_setter(env, packet, "checksum", be16toh(record->checksum));
}

JNIEXPORT void JNI(saveByGetters)(JNIEnv *env, jclass class, jobject packet)
{
	struct record *record = records[0];

	(void)class;
	record->source = htobe32((uint32_t)call_getter(env, packet, "source"));
	record->destination = htobe32((uint32_t)call_getter(env, packet, "destination"));
	record->source_port = htobe16((uint16_t)call_getter(env, packet, "sourcePort"));
	record->destination_port = htobe16((uint16_t)call_getter(env, packet, "destinationPort"));
	record->sequence = htobe32((uint32_t)call_getter(env, packet, "sequence"));
	record->ttl = (uint8_t)call_getter(env, packet, "ttl");
	record->protocol = (uint8_t)call_getter(env, packet, "protocol");
	record->checksum = htobe16((uint16_t)call_getter(env, packet, "checksum"));
}

/* --- objects through JNI: the fields themselves, looked up once --- */

enum { SOURCE, DESTINATION, SOURCE_PORT, DESTINATION_PORT, SEQUENCE, TTL, PROTOCOL, CHECKSUM, FIELDS };

static jfieldID fields[FIELDS];

JNIEXPORT void JNI(findFields)(JNIEnv *env, jclass class, jclass packets)
{
	static const char *const names[FIELDS] = {"source",   "destination", "sourcePort", "destinationPort",
	                                          "sequence", "ttl",         "protocol",   "checksum"};

	(void)class;
	for (int i = 0; i < FIELDS; i++) {
		fields[i] = (*env)->GetFieldID(env, packets, names[i], "I");
		if (fields[i] == NULL)
			return; /* The exception that is pending says which. */
	}
}

JNIEXPORT void JNI(nextByFields)(JNIEnv *env, jclass class, jobject packet)
{
	const struct record *record = access_next();

	(void)class;
	(*env)->SetIntField(env, packet, fields[SOURCE], (jint)be32toh(record->source));
	(*env)->SetIntField(env, packet, fields[DESTINATION], (jint)be32toh(record->destination));
	(*env)->SetIntField(env, packet, fields[SOURCE_PORT], be16toh(record->source_port));
	(*env)->SetIntField(env, packet, fields[DESTINATION_PORT], be16toh(record->destination_port));
	(*env)->SetIntField(env, packet, fields[SEQUENCE], (jint)be32toh(record->sequence));
	(*env)->SetIntField(env, packet, fields[TTL], record->ttl);
	(*env)->SetIntField(env, packet, fields[PROTOCOL], record->protocol);
	(*env)->SetIntField(env, packet, fields[CHECKSUM], be16toh(record->checksum));
}

JNIEXPORT void JNI(saveByFields)(JNIEnv *env, jclass class, jobject packet)
{
	struct record *record = records[0];

	(void)class;
	record->source = htobe32((uint32_t)(*env)->GetIntField(env, packet, fields[SOURCE]));
	record->destination = htobe32((uint32_t)(*env)->GetIntField(env, packet, fields[DESTINATION]));
	record->source_port = htobe16((uint16_t)(*env)->GetIntField(env, packet, fields[SOURCE_PORT]));
	record->destination_port = htobe16((uint16_t)(*env)->GetIntField(env, packet, fields[DESTINATION_PORT]));
	record->sequence = htobe32((uint32_t)(*env)->GetIntField(env, packet, fields[SEQUENCE]));
	record->ttl = (uint8_t)(*env)->GetIntField(env, packet, fields[TTL]);
	record->protocol = (uint8_t)(*env)->GetIntField(env, packet, fields[PROTOCOL]);
	record->checksum = htobe16((uint16_t)(*env)->GetIntField(env, packet, fields[CHECKSUM]));
}

/* --- a copy in a direct buffer; and the struct's address, for access in place --- */

JNIEXPORT void JNI(nextIntoBuffer)(JNIEnv *env, jclass class, jlong buffer)
{
	(void)env;
	(void)class;
	memcpy((void *)buffer, access_next(), sizeof(struct record));
}

JNIEXPORT void JNI(saveFromBuffer)(JNIEnv *env, jclass class, jlong buffer)
{
	(void)env;
	(void)class;
	memcpy(records[0], (const void *)buffer, sizeof(struct record));
}

JNIEXPORT void JNI(nextPointer)(JNIEnv *env, jclass class, jlong pointer)
{
	struct record *record = access_next();

	(void)env;
	(void)class;
	memcpy((void *)pointer, &record, sizeof(record));
}
