/** Settings of an engine, and the error for wrong ones. */
@NullMarked
package io.linerate.core.config;

import org.jspecify.annotations.NullMarked;
