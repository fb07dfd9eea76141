/** What shells and manuals know of the command: all from its own description of its options. */
@NullMarked
package io.linerate.apps.shell;

import org.jspecify.annotations.NullMarked;
