/*
 * The native side of the benchmark `crossing`: functions that do next to nothing, so that what is measured is the way there
 * and back. Each adds its arguments to a sum, by which can be seen that all contestants did the same.
 */
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include <jni.h>

#define EXPORT __attribute__((visibility("default")))
#define JNI(name) JNICALL Java_io_linerate_bench_crossing_CrossingLibrary_##name

static int64_t sum;

EXPORT int64_t crossing_sum(void)
{
	int64_t before = sum;

	sum = 0;
	return before;
}

/* --- Java to native: called through FFM, and by the JNI functions below --- */

EXPORT void crossing_empty(void)
{
	sum++;
}

EXPORT void crossing_one(int32_t a)
{
	sum += a;
}

EXPORT void crossing_two(int32_t a, int32_t b)
{
	sum += a + b;
}

EXPORT void crossing_three(int32_t a, int32_t b, int32_t c)
{
	sum += a + b + c;
}

EXPORT void crossing_reference(const void *memory)
{
	sum += memory != NULL;
}

JNIEXPORT void JNI(jniEmpty)(JNIEnv *env, jclass class)
{
	(void)env;
	(void)class;
	sum++;
}

JNIEXPORT void JNI(jniOne)(JNIEnv *env, jclass class, jint a)
{
	(void)env;
	(void)class;
	sum += a;
}

JNIEXPORT void JNI(jniTwo)(JNIEnv *env, jclass class, jint a, jint b)
{
	(void)env;
	(void)class;
	sum += a + b;
}

JNIEXPORT void JNI(jniThree)(JNIEnv *env, jclass class, jint a, jint b, jint c)
{
	(void)env;
	(void)class;
	sum += a + b + c;
}

JNIEXPORT void JNI(jniReference)(JNIEnv *env, jclass class, jobject object)
{
	(void)env;
	(void)class;
	sum += object != NULL;
}

/* --- native to Java --- */

EXPORT void crossing_call_none(void (*target)(void), int32_t times)
{
	for (int32_t i = 0; i < times; i++)
		target();
}

EXPORT void crossing_call_one(void (*target)(int32_t), int32_t times)
{
	for (int32_t i = 0; i < times; i++)
		target(1);
}

EXPORT void crossing_call_two(void (*target)(int32_t, int32_t), int32_t times)
{
	for (int32_t i = 0; i < times; i++)
		target(1, 2);
}

/* A static method by its name and ints; looked up for every call as in 1999, or once. */
JNIEXPORT void JNI(jniCall)(JNIEnv *env, jclass class, jclass target, jint ints, jint times, jboolean each)
{
	static const char *const names[] = {"none", "one", "two"};
	static const char *const signatures[] = {"()V", "(I)V", "(II)V"};
	jmethodID id = (*env)->GetStaticMethodID(env, target, names[ints], signatures[ints]);

	(void)class;
	for (jint i = 0; i < times && id != NULL; i++) {
		if (each)
			id = (*env)->GetStaticMethodID(env, target, names[ints], signatures[ints]);
		if (ints == 0)
			(*env)->CallStaticVoidMethod(env, target, id);
		else if (ints == 1)
			(*env)->CallStaticVoidMethod(env, target, id, 1);
		else
			(*env)->CallStaticVoidMethod(env, target, id, 1, 2);
	}
}

/* --- a field of an object, or an int in native memory --- */

static jfieldID find(JNIEnv *env, jobject object)
{
	return (*env)->GetFieldID(env, (*env)->GetObjectClass(env, object), "value", "I");
}

JNIEXPORT void JNI(jniRead)(JNIEnv *env, jclass class, jobject object, jint times, jboolean each)
{
	jfieldID id = find(env, object);

	(void)class;
	for (jint i = 0; i < times && id != NULL; i++) {
		if (each)
			id = find(env, object);
		sum += (*env)->GetIntField(env, object, id);
	}
}

JNIEXPORT void JNI(jniWrite)(JNIEnv *env, jclass class, jobject object, jint times, jboolean each)
{
	jfieldID id = find(env, object);

	(void)class;
	for (jint i = 0; i < times && id != NULL; i++) {
		if (each)
			id = find(env, object);
		(*env)->SetIntField(env, object, id, 1);
		sum++;
	}
}

EXPORT void crossing_read(const volatile int32_t *value, int32_t times)
{
	for (int32_t i = 0; i < times; i++)
		sum += *value;
}

EXPORT void crossing_write(volatile int32_t *value, int32_t times)
{
	for (int32_t i = 0; i < times; i++) {
		*value = 1;
		sum++;
	}
}

/* --- bytes between an array on the heap and native memory --- */

EXPORT void crossing_copy(void *to, const void *from, int32_t count)
{
	memcpy(to, from, (size_t)count);
	sum += count;
}

JNIEXPORT void JNI(jniCopyOut)(JNIEnv *env, jclass class, jbyteArray from, jlong to, jint count)
{
	(void)class;
	(*env)->GetByteArrayRegion(env, from, 0, count, (jbyte *)to);
	sum += count;
}

JNIEXPORT void JNI(jniCopyIn)(JNIEnv *env, jclass class, jbyteArray to, jlong from, jint count)
{
	(void)class;
	(*env)->SetByteArrayRegion(env, to, 0, count, (const jbyte *)from);
	sum += count;
}

/* --- a look at the first byte of an array on the heap --- */

EXPORT void crossing_look(const int8_t *bytes)
{
	sum += bytes[0];
}

JNIEXPORT void JNI(jniLookCritical)(JNIEnv *env, jclass class, jbyteArray array)
{
	int8_t *bytes = (*env)->GetPrimitiveArrayCritical(env, array, NULL);

	(void)class;
	if (bytes == NULL)
		return; /* OutOfMemoryError is pending. */
	sum += bytes[0];
	(*env)->ReleasePrimitiveArrayCritical(env, array, bytes, JNI_ABORT);
}

JNIEXPORT void JNI(jniLookElements)(JNIEnv *env, jclass class, jbyteArray array)
{
	jbyte *bytes = (*env)->GetByteArrayElements(env, array, NULL);

	(void)class;
	if (bytes == NULL)
		return;
	sum += bytes[0];
	(*env)->ReleaseByteArrayElements(env, array, bytes, JNI_ABORT);
}
