/**
 * Flows, as RFC 7011 has them: which packets went between whom, how many and when, both directions
 * in one record (RFC 5103). A {@link io.linerate.track.flow.FlowMeter} makes records of packets,
 * and a {@link io.linerate.track.flow.FlowSink} gets them. Nothing is allocated for a packet.
 */
@NullMarked
package io.linerate.track.flow;

import org.jspecify.annotations.NullMarked;
