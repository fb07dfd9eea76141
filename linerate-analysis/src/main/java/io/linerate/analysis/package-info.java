/**
 * What traffic is, window by window: its largest flows and hosts, the names that are asked for, new
 * connections, scans and SYN floods. {@link io.linerate.analysis.TrafficAnalysis} makes a {@link
 * io.linerate.analysis.WindowReport} of each window, as tokens of a stream; the rows of a report
 * say the same as tables, files and lines of JSON have it.
 */
@NullMarked
package io.linerate.analysis;

import org.jspecify.annotations.NullMarked;
