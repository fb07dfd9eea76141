/** Files that go from one machine to another: beside scp, rsync and iperf3. */
@NullMarked
package io.linerate.bench.transfer;

import org.jspecify.annotations.NullMarked;
