/** Middleboxes beside the same in C: routers, firewalls with state, translators, balancers. */
@NullMarked
package io.linerate.bench.middlebox;

import org.jspecify.annotations.NullMarked;
