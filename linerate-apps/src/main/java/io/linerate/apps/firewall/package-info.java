/** The firewall between two links, or more in pairs: a bridge with rules. */
@NullMarked
package io.linerate.apps.firewall;

import org.jspecify.annotations.NullMarked;
