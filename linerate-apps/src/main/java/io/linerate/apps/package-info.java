/** The {@code linerate} command: its subcommands are in packages of their own. */
@NullMarked
package io.linerate.apps;

import org.jspecify.annotations.NullMarked;
