/**
 * The heart of Linerate: packets in native memory, ports, workers. Depends on nothing but the JDK.
 */
@NullMarked
package io.linerate.core;

import org.jspecify.annotations.NullMarked;
