package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.BYTES;
import static io.linerate.decode.Kind.DECIMAL;
import static io.linerate.decode.Kind.FLAG;
import static io.linerate.decode.Kind.HEX;
import static io.linerate.decode.Kind.IPV6;
import static io.linerate.decode.Kind.NONE;
import static io.linerate.decode.Kind.TEXT;

import io.linerate.decode.Dissection;
import io.linerate.decode.Field;
import io.linerate.decode.Fields;
import io.linerate.decode.Layer;
import io.linerate.decode.Parts;
import io.linerate.decode.ValueNames;
import java.util.Map;

/**
 * The options of IPv6, which two extension headers have: one byte of padding, or type, length of
 * the data, and data; the registry is IANA's "Destination Options and Hop-by-Hop Options".
 */
final class Ipv6Options {
  private static final int PAD_1 = 0x00;
  private static final int PAD_N = 0x01;
  private static final int TUNNEL_LIMIT = 0x04;
  private static final int ROUTER_ALERT = 0x05;
  private static final int CALIPSO = 0x07;
  private static final int DUPLICATE_DETECTION = 0x08;
  private static final int METRICS = 0x0F;
  private static final int IOAM = 0x11;
  private static final int QUICK_START = 0x26;
  private static final int PATH_MTU = 0x30;
  private static final int IOAM_CHANGING = 0x31;
  private static final int RPL = 0x63;
  private static final int MPL = 0x6D;
  private static final int ILNP_NONCE = 0x8B;
  private static final int LINE = 0x8C;
  private static final int JUMBO = 0xC2;
  private static final int HOME_ADDRESS = 0xC9;
  private static final int DEPTH_FIRST = 0xEE;

  /** RFC 4727, section 3.3: the low five bits of options for experiments. */
  private static final int EXPERIMENT = 0x1E;

  private static final int QUICK_REQUEST = 0;
  private static final int QUICK_REPORT = 8;
  private static final int HASH_BIT = 0x80;
  private static final int LOW_BITS = 0x1F;

  private static final ValueNames NAMES =
      ValueNames.of(
          Map.ofEntries(
              Map.entry(PAD_1, "Padding of one byte"),
              Map.entry(PAD_N, "Padding"),
              Map.entry(TUNNEL_LIMIT, "Tunnel encapsulation limit"),
              Map.entry(ROUTER_ALERT, "Router alert"),
              Map.entry(CALIPSO, "CALIPSO"),
              Map.entry(DUPLICATE_DETECTION, "SMF duplicate detection"),
              Map.entry(METRICS, "Performance and diagnostic metrics"),
              Map.entry(IOAM, "IOAM destination option"),
              Map.entry(IOAM_CHANGING, "IOAM hop-by-hop option"),
              Map.entry(QUICK_START, "Quick-Start"),
              Map.entry(PATH_MTU, "Minimum path MTU"),
              Map.entry(RPL, "RPL"),
              Map.entry(MPL, "MPL"),
              Map.entry(ILNP_NONCE, "ILNP nonce"),
              Map.entry(LINE, "Line identification"),
              Map.entry(JUMBO, "Jumbo payload"),
              Map.entry(HOME_ADDRESS, "Home address"),
              Map.entry(DEPTH_FIRST, "Depth-first forwarding")));

  private final Field option;
  private final Parts type;
  private final Field length;
  private final Field pad1;
  private final Field padN;
  private final Field unknown;
  private final Field experiment;
  private final Field tunnelLimit;
  private final Field routerAlert;
  private final Field jumbo;
  private final Field homeAddress;
  private final Field calipsoDomain;
  private final Field calipsoLength;
  private final Field calipsoLevel;
  private final Field calipsoChecksum;
  private final Field calipsoBitmap;
  private final Field hashBit;
  private final Parts tagger;
  private final Field taggerId;
  private final Field taggerIdentifier;
  private final Field hashAssist;
  private final Field metricsScaleReceived;
  private final Field metricsScaleSent;
  private final Field metricsNumber;
  private final Field metricsReceived;
  private final Field metricsSinceReceived;
  private final Field metricsSinceSent;
  private final Parts quick;
  private final Field quickTtl;
  private final Field quickTtlDifference;
  private final Field quickUnused;
  private final Parts quickNonce;
  private final Field pathMtu;
  private final Field pathMtuReturned;
  private final Field pathMtuFlag;
  private final Parts rplFlags;
  private final Field rplInstance;
  private final Field rplRank;
  private final Parts mplFlags;
  private final Field mplSequence;
  private final Field mplSeed;
  private final Field ilnpNonce;
  private final Field lineLength;
  private final Field line;
  private final Parts depthFirstFlags;
  private final Field depthFirstNumber;
  private final IoamOption ioam;

  Ipv6Options(Fields fields) {
    option = fields.source("RFC 8200, section 4.2").floating("ipv6.opt", 0, NONE, "Option");
    type =
        fields
            .parts("ipv6.opt.type", 8, HEX, "Option type", NAMES)
            .part("ipv6.opt.type.action", 2, DECIMAL, "What those do who do not know it")
            .flag("ipv6.opt.type.change", "May change under way")
            .part("ipv6.opt.type.rest", 5, HEX, "Low bits");
    length = fields.floating("ipv6.opt.length", 8, DECIMAL, "Option length");
    pad1 = fields.floating("ipv6.opt.pad1", 0, NONE, "Padding of one byte");
    padN = fields.floating("ipv6.opt.padn", 0, BYTES, "Padding");
    unknown = fields.floating("ipv6.opt.unknown", 0, BYTES, "Option data");
    experiment =
        fields
            .source("RFC 4727, section 3.3")
            .floating("ipv6.opt.experimental", 0, BYTES, "Data of the experiment");
    tunnelLimit =
        fields
            .source("RFC 2473, section 4.1.1")
            .floating("ipv6.opt.tel", 8, DECIMAL, "Tunnel encapsulation limit");
    routerAlert =
        fields
            .source("RFC 2711, section 2.1")
            .floating("ipv6.opt.router_alert", 16, DECIMAL, "Router alert");
    jumbo =
        fields
            .source("RFC 2675, section 2")
            .floating("ipv6.opt.jumbo", 32, DECIMAL, "Jumbo payload length");
    homeAddress =
        fields
            .source("RFC 6275, section 6.3")
            .floating("ipv6.opt.mipv6.home_address", 128, IPV6, "Home address");
    calipsoDomain =
        fields
            .source("RFC 5570, section 5.1")
            .floating("ipv6.opt.calipso.doi", 32, DECIMAL, "CALIPSO domain of interpretation");
    calipsoLength =
        fields.floating(
            "ipv6.opt.calipso.cmpt.length",
            8,
            DECIMAL,
            "Length of the compartments in units of 4 bytes");
    calipsoLevel = fields.floating("ipv6.opt.calipso.sens_level", 8, DECIMAL, "Sensitivity level");
    calipsoChecksum = fields.floating("ipv6.opt.calipso.checksum", 16, HEX, "CALIPSO checksum");
    calipsoBitmap = fields.floating("ipv6.opt.calipso.cmpt_bitmap", 0, BYTES, "Compartments");
    hashBit =
        fields
            .source("RFC 6621, section 6.1")
            .floating("ipv6.opt.smf_dpd.hash_bit", 8, FLAG, "Hash assist value");
    tagger =
        fields
            .parts(8)
            .skip(1)
            .part("ipv6.opt.smf_dpd.tid_type", 3, DECIMAL, "Type of the tagger")
            .part("ipv6.opt.smf_dpd.tid_len", 4, DECIMAL, "Length of the tagger less 1");
    taggerId = fields.floating("ipv6.opt.smf_dpd.tagger_id", 0, BYTES, "Tagger");
    taggerIdentifier =
        fields.floating("ipv6.opt.smf_dpd.ident", 0, BYTES, "Identifier of the packet");
    hashAssist = fields.floating("ipv6.opt.smf_dpd.hav", 0, BYTES, "Hash assist value");
    metricsScaleReceived =
        fields
            .source("RFC 8250, section 3.2")
            .floating(
                "ipv6.opt.pdm.scale_dtlr", 8, DECIMAL, "Scale of the time since the last received");
    metricsScaleSent =
        fields.floating(
            "ipv6.opt.pdm.scale_dtls", 8, DECIMAL, "Scale of the time since the last sent");
    metricsNumber =
        fields.floating("ipv6.opt.pdm.psn_this_pkt", 16, DECIMAL, "Number of this packet");
    metricsReceived =
        fields.floating("ipv6.opt.pdm.psn_last_recv", 16, DECIMAL, "Number of the last received");
    metricsSinceReceived =
        fields.floating(
            "ipv6.opt.pdm.delta_last_recv", 16, DECIMAL, "Time since the last received");
    metricsSinceSent =
        fields.floating("ipv6.opt.pdm.delta_last_sent", 16, DECIMAL, "Time since the last sent");
    quick =
        fields
            .source("RFC 4782, section 3.2")
            .parts(8)
            .part("ipv6.opt.qs_func", 4, DECIMAL, "Quick-Start function")
            .part("ipv6.opt.qs_rate", 4, DECIMAL, "Quick-Start rate");
    quickTtl = fields.floating("ipv6.opt.qs_ttl", 8, DECIMAL, "Quick-Start TTL");
    quickTtlDifference =
        fields.floating("ipv6.opt.qs_ttl_diff", 8, DECIMAL, "Hop limit less Quick-Start TTL");
    quickUnused = fields.floating("ipv6.opt.qs_unused", 8, DECIMAL, "Not used");
    quickNonce =
        fields
            .parts(32)
            .part("ipv6.opt.qs_nonce", 30, HEX, "Quick-Start nonce")
            .part("ipv6.opt.qs_reserved", 2, HEX, "Quick-Start reserved");
    pathMtu =
        fields
            .source("RFC 9268, section 5")
            .floating("ipv6.opt.pmtu.min", 16, DECIMAL, "Smallest MTU reported");
    pathMtuReturned = fields.floating("ipv6.opt.pmtu.rtn", 16, DECIMAL, "Smallest MTU returned");
    pathMtuFlag = fields.floating("ipv6.opt.pmtu.r_flag", 16, FLAG, "To be returned");
    rplFlags =
        fields
            .source("RFC 6553, section 3")
            .parts("ipv6.opt.rpl.flag", 8, HEX, "RPL flags")
            .flag("ipv6.opt.rpl.flag.o", "Down")
            .flag("ipv6.opt.rpl.flag.r", "Rank error")
            .flag("ipv6.opt.rpl.flag.f", "Forwarding error")
            .part("ipv6.opt.rpl.flag.rsv", 5, HEX, "RPL reserved");
    rplInstance = fields.floating("ipv6.opt.rpl.instance_id", 8, HEX, "RPL instance");
    rplRank = fields.floating("ipv6.opt.rpl.sender_rank", 16, HEX, "Sender's rank");
    mplFlags =
        fields
            .source("RFC 7731, section 6.1")
            .parts("ipv6.opt.mpl.flag", 8, HEX, "MPL flags")
            .part("ipv6.opt.mpl.flag.s", 2, DECIMAL, "Kind of the seed")
            .flag("ipv6.opt.mpl.flag.m", "Largest sequence")
            .flag("ipv6.opt.mpl.flag.v", "Version")
            .part("ipv6.opt.mpl.flag.rsv", 4, HEX, "MPL reserved");
    mplSequence = fields.floating("ipv6.opt.mpl.sequence", 8, HEX, "MPL sequence");
    mplSeed = fields.floating("ipv6.opt.mpl.seed_id", 0, BYTES, "MPL seed");
    ilnpNonce =
        fields
            .source("RFC 6744, section 2")
            .floating("ipv6.opt.ilnp_nonce", 0, BYTES, "ILNP nonce");
    lineLength =
        fields
            .source("RFC 6788, section 7")
            .floating("ipv6.opt.lio.length", 8, DECIMAL, "Length of the line");
    line = fields.floating("ipv6.opt.lio.line_id", 0, TEXT, "Line");
    depthFirstFlags =
        fields
            .source("RFC 6971, section 11")
            .parts("ipv6.opt.dff.flags", 8, HEX, "Depth-first flags")
            .part("ipv6.opt.dff.flag.ver", 2, DECIMAL, "Depth-first version")
            .flag("ipv6.opt.dff.flag.dup", "Duplicate")
            .flag("ipv6.opt.dff.flag.ret", "Return")
            .part("ipv6.opt.dff.flag.rsv", 4, HEX, "Depth-first reserved");
    depthFirstNumber =
        fields.floating("ipv6.opt.dff.sequence_number", 16, DECIMAL, "Depth-first number");
    ioam = new IoamOption(fields);
  }

  /** Goes through all options from the cursor to the end. */
  void dissect(Dissection dissection) {
    while (dissection.left() > 0) {
      int kind = dissection.u8(0);
      int bytes = kind == PAD_1 || !dissection.has(2) ? 1 : 2 + dissection.u8(1);
      dissection.open(option, bytes);
      if (kind == PAD_1) {
        dissection.add(type.whole());
        dissection.bytes(pad1, 0, 0);
      } else {
        dissection.add(type);
        dissection.add(length);
        int before = dissection.enter(bytes - 2);
        data(dissection, kind);
        dissection.leave(before);
      }
      dissection.close();
    }
  }

  private void data(Dissection dissection, int kind) {
    switch (kind) {
      case PAD_N -> dissection.add(padN, dissection.left());
      case TUNNEL_LIMIT -> dissection.add(tunnelLimit);
      case ROUTER_ALERT -> dissection.add(routerAlert);
      case JUMBO -> dissection.add(jumbo);
      case HOME_ADDRESS -> dissection.add(homeAddress);
      case CALIPSO -> calipso(dissection);
      case DUPLICATE_DETECTION -> duplicateDetection(dissection);
      case METRICS -> metrics(dissection);
      case QUICK_START -> quickStart(dissection);
      case PATH_MTU -> pathMtu(dissection);
      case IOAM, IOAM_CHANGING -> ioam.dissect(dissection, unknown);
      case RPL -> {
        dissection.add(rplFlags);
        dissection.add(rplInstance);
        dissection.add(rplRank);
      }
      case MPL -> {
        dissection.add(mplFlags);
        dissection.add(mplSequence);
        dissection.addLeft(mplSeed);
      }
      case ILNP_NONCE -> dissection.addLeft(ilnpNonce);
      case LINE -> {
        int count = (int) dissection.add(lineLength);
        dissection.add(line, count);
      }
      case DEPTH_FIRST -> {
        dissection.add(depthFirstFlags);
        dissection.add(depthFirstNumber);
      }
      default -> dissection.addLeft((kind & LOW_BITS) == EXPERIMENT ? experiment : unknown);
    }
  }

  private void calipso(Dissection dissection) {
    dissection.add(calipsoDomain);
    dissection.add(calipsoLength);
    dissection.add(calipsoLevel);
    dissection.add(calipsoChecksum);
    dissection.addLeft(calipsoBitmap);
  }

  private void duplicateDetection(Dissection dissection) {
    if ((dissection.u8(0) & HASH_BIT) != 0) {
      dissection.value(hashBit, 1, 0, 1);
      dissection.addLeft(hashAssist);
      return;
    }
    dissection.value(hashBit, 0, 0, 1);
    int kinds = (int) dissection.add(tagger);
    if ((kinds >>> 4) != 0) {
      dissection.add(taggerId, (kinds & 0xF) + 1);
    }
    dissection.addLeft(taggerIdentifier);
  }

  private void metrics(Dissection dissection) {
    dissection.add(metricsScaleReceived);
    dissection.add(metricsScaleSent);
    dissection.add(metricsNumber);
    dissection.add(metricsReceived);
    dissection.add(metricsSinceReceived);
    dissection.add(metricsSinceSent);
  }

  private void quickStart(Dissection dissection) {
    int function = (int) dissection.add(quick) >>> 4;
    if (function == QUICK_REQUEST) {
      int ttl = (int) dissection.add(quickTtl);
      Layer outer = dissection.outer();
      if (outer != null && outer.protocol() instanceof Ipv6Protocol) {
        long difference = (outer.value(Ipv6Protocol.HOP_LIMIT) - ttl) & 0xFF;
        dissection.value(quickTtlDifference, difference, -1, 1);
      }
      dissection.add(quickNonce);
    } else if (function == QUICK_REPORT) {
      dissection.add(quickUnused);
      dissection.add(quickNonce);
    }
  }

  /** The last bit of what is returned is a flag. */
  private void pathMtu(Dissection dissection) {
    dissection.add(pathMtu);
    int returned = dissection.u16(0);
    if (dissection.has(2)) {
      dissection.value(pathMtuReturned, returned & 0xFFFE, 0, 2);
      dissection.value(pathMtuFlag, returned & 1, 0, 2);
      dissection.skip(2);
    }
  }
}
