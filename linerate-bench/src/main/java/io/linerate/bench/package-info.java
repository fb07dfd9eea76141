/**
 * Java against C: runs a program of Linerate and its C twin in turn, on the same core, and compares
 * their rates.
 */
@NullMarked
package io.linerate.bench;

import org.jspecify.annotations.NullMarked;
