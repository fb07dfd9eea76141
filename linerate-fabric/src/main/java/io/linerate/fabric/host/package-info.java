/** What this host knows of peers: their processes, and how their addresses are written. */
@NullMarked
package io.linerate.fabric.host;

import org.jspecify.annotations.NullMarked;
