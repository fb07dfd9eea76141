/**
 * What it costs to go from Java to native code and back, after the tables 2.2 to 2.5 of
 * "Interfacing Java to network interfaces": JNI, FFM, and FFM's critical calls.
 */
@NullMarked
package io.linerate.bench.crossing;

import org.jspecify.annotations.NullMarked;
