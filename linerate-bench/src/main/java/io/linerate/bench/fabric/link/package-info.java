/**
 * Programs that exchange messages by what a Java program would use without libfabric, each a fresh
 * JVM: {@link io.linerate.bench.fabric.link.MessageProgram}.
 */
@NullMarked
package io.linerate.bench.fabric.link;

import org.jspecify.annotations.NullMarked;
