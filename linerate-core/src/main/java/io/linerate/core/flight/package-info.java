/** What a program tells Flight Recorder, the JVM's own: events of the category Linerate. */
@NullMarked
package io.linerate.core.flight;

import org.jspecify.annotations.NullMarked;
