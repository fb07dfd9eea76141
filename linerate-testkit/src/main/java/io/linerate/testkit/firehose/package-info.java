/**
 * The generators of the FireHose streaming benchmark (Sandia National Laboratories, 2013): streams
 * that are the same whenever they are made, of which the right answers are published.
 */
@NullMarked
package io.linerate.testkit.firehose;

import org.jspecify.annotations.NullMarked;
