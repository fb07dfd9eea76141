/**
 * Messages between two programs with flow control: a {@link Channel} of a {@link ChannelHost}, over
 * connections or without, whichever the provider has.
 *
 * <p>A sender has as many messages under way as the receiver has memory for (credits), so that no
 * message ever finds none; a receiver that is slow is back-pressure. A peer that has ended, or does
 * not answer, is told by name.
 */
@NullMarked
package io.linerate.fabric.channel;

import org.jspecify.annotations.NullMarked;
