/** Two workers on two queues beside one on one: what workers cost each other. */
@NullMarked
package io.linerate.bench.scaling;

import org.jspecify.annotations.NullMarked;
