/** What a run leaves behind: {@code results.json}, {@code report.md} and charts as PNG. */
@NullMarked
package io.linerate.bench.report;

import org.jspecify.annotations.NullMarked;
