/** Who sends most: samples of packets, counted in bounded memory away from their path. */
@NullMarked
package io.linerate.dashboard.talkers;

import org.jspecify.annotations.NullMarked;
