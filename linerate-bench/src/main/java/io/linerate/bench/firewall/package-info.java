/** {@code linerate firewall} beside C: linear rules, and exact rules through a hash. */
@NullMarked
package io.linerate.bench.firewall;

import org.jspecify.annotations.NullMarked;
