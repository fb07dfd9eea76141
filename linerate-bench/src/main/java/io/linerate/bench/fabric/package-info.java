/**
 * {@code fabric}: messages and remote memory by libfabric, beside what a Java program would use
 * without it, and what crossing into C and making bytes of objects cost on the way.
 */
@NullMarked
package io.linerate.bench.fabric;

import org.jspecify.annotations.NullMarked;
