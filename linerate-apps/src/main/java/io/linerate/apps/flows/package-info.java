/** {@code linerate flows}: who talks to whom, as lines, JSON, Parquet and IPFIX. */
@NullMarked
package io.linerate.apps.flows;

import org.jspecify.annotations.NullMarked;
