/** {@code linerate decode}: what packets say, as text, columns and JSON. */
@NullMarked
package io.linerate.apps.decode;

import org.jspecify.annotations.NullMarked;
