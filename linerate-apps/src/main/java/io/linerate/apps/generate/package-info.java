/**
 * {@code linerate generate}: makes packets and sends them at a rate that is kept. {@link
 * io.linerate.apps.generate.Generator}, {@link io.linerate.apps.generate.TrafficPlan} and {@link
 * io.linerate.apps.generate.TrafficStream} are for programs; {@code docs/generate.md} says what the
 * texts mean.
 */
@NullMarked
package io.linerate.apps.generate;

import org.jspecify.annotations.NullMarked;
