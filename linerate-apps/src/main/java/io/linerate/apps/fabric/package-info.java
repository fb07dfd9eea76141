/** {@code linerate fabric}: which providers there are, and how fast they are between programs. */
@NullMarked
package io.linerate.apps.fabric;

import org.jspecify.annotations.NullMarked;
