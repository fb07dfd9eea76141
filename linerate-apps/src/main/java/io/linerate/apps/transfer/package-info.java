/** {@code linerate send} and {@code linerate receive}: files over streams. */
@NullMarked
package io.linerate.apps.transfer;

import org.jspecify.annotations.NullMarked;
