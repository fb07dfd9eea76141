/** What it costs to ask a filter about packets, beside libpcap's interpreter and C. */
@NullMarked
package io.linerate.bench.filter;

import org.jspecify.annotations.NullMarked;
