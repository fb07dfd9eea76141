@NullMarked
package io.linerate.bench.report;

import org.jspecify.annotations.NullMarked;
