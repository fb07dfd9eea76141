package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.BYTES;
import static io.linerate.decode.Kind.DECIMAL;
import static io.linerate.decode.Kind.FLAG;
import static io.linerate.decode.Kind.HEX;
import static io.linerate.decode.Kind.TEXT;

import io.linerate.decode.Dissection;
import io.linerate.decode.Field;
import io.linerate.decode.Fields;
import io.linerate.decode.Kind;
import io.linerate.decode.Parts;
import io.linerate.decode.ValueNames;
import org.jspecify.annotations.Nullable;

/** Attributes of control messages: flags and length, vendor, type, value. */
final class L2tpAttributes {
  private static final int HEADER_BYTES = 6;
  private static final int HIDDEN_FLAG = 0x4000;
  private static final int LENGTH_MASK = 0x3FF;

  private final Parts header;
  private final Field vendor;
  private final Field type;
  private final Field ciscoType;
  private final Field ericssonType;
  private final Field broadbandType;
  private final Field cableType;

  /** By the number of the attribute, of those with one field. */
  private final @Nullable Field[] simple = new Field[83];

  private final Field resultCode;
  private final Field errorCode;
  private final Field errorMessage;
  private final Field version;
  private final Field revision;
  private final Parts framing;
  private final Parts bearer;
  private final Field causeCode;
  private final Field causeMessage;
  private final Field advisory;
  private final Parts bearerType;
  private final Parts framingType;
  private final Field authenticationId;
  private final Field[] errors;
  private final Field sendMap;
  private final Field receiveMap;
  private final Field disconnectCode;
  private final Field disconnectProtocol;
  private final Field disconnectDirection;
  private final Field disconnectMessage;
  private final Parts circuit;
  private final Field value;
  private final Fields owner;

  L2tpAttributes(Fields owner) {
    this.owner = owner.source("RFC 2661, section 4.1");
    header =
        owner
            .parts(16)
            .flag("l2tp.avp.mandatory", "Mandatory")
            .flag("l2tp.avp.hidden", "Hidden")
            .skip(4)
            .part("l2tp.avp.length", 10, DECIMAL, "Length of the attribute");
    vendor = owner.floating("l2tp.avp.vendor_id", 16, DECIMAL, "Vendor");
    type = owner.floating("l2tp.avp.type", 16, DECIMAL, "Type of the attribute");
    ciscoType = owner.floating("l2tp.avp.ciscotype", 16, DECIMAL, "Type of Cisco");
    ericssonType = owner.floating("l2tp.avp.ericssontype", 16, DECIMAL, "Type of Ericsson");
    broadbandType =
        owner.floating("l2tp.avp.broadbandtype", 16, DECIMAL, "Type of the Broadband Forum");
    cableType = owner.floating("l2tp.avp.cablelabstype", 16, DECIMAL, "Type of CableLabs");
    owner.source("RFC 2661, section 4.4");
    simple[0] =
        owner.floating(
            "l2tp.avp.message_type",
            16,
            DECIMAL,
            "Message type",
            ValueNames.from0(
                "", "SCCRQ", "SCCRP", "SCCCN", "StopCCN", "", "Hello", "OCRQ", "OCRP", "OCCN",
                "ICRQ", "ICRP", "ICCN", "", "CDN", "WEN", "SLI"));
    resultCode = owner.floating("l2tp.result_code", 16, DECIMAL, "Result");
    errorCode = owner.floating("l2tp.avp.error_code", 16, DECIMAL, "Error");
    errorMessage = owner.floating("l2tp.avp.error_message", 0, TEXT, "Error message");
    version = owner.floating("l2tp.avp.protocol_version", 8, DECIMAL, "Version of the protocol");
    revision = owner.floating("l2tp.avp.protocol_revision", 8, DECIMAL, "Revision");
    framing = pair("async_framing_supported", "sync_framing_supported");
    bearer = pair("analog_access_supported", "digital_access_supported");
    simple[5] = owner.floating("l2tp.tie_breaker", 64, HEX, "Tie breaker");
    simple(6, "firmware_revision", 16, DECIMAL, "Firmware revision");
    simple(7, "host_name", 0, TEXT, "Host name");
    simple(8, "vendor_name", 0, TEXT, "Vendor name");
    simple(9, "assigned_tunnel_id", 16, DECIMAL, "Assigned tunnel");
    simple(10, "receive_window_size", 16, DECIMAL, "Receive window");
    simple(11, "chap_challenge", 0, BYTES, "Challenge");
    causeCode = owner.floating("l2tp.avp.cause_code", 16, DECIMAL, "Cause code");
    causeMessage = owner.floating("l2tp.avp.cause_msg", 8, DECIMAL, "Cause message");
    advisory = owner.floating("l2tp.avp.advisory_msg", 0, TEXT, "Advisory message");
    simple(13, "chap_challenge_response", 0, BYTES, "Challenge response");
    simple(14, "assigned_session_id", 16, DECIMAL, "Assigned session");
    simple(15, "call_serial_number", 32, DECIMAL, "Call serial number");
    simple(16, "minimum_bps", 32, DECIMAL, "Least bit/s");
    simple(17, "maximum_bps", 32, DECIMAL, "Most bit/s");
    bearerType = pair("analog_bearer_type", "digital_bearer_type");
    framingType = pair("async_framing_type", "sync_framing_type");
    simple(21, "called_number", 0, TEXT, "Called number");
    simple(22, "calling_number", 0, TEXT, "Calling number");
    simple(23, "sub_address", 0, TEXT, "Sub-address");
    simple(24, "connect_speed", 32, DECIMAL, "Connect speed in bit/s");
    simple(25, "physical_channel", 32, DECIMAL, "Physical channel");
    simple(26, "initial_received_lcp_confreq", 0, BYTES, "First LCP request received");
    simple(27, "last_sent_lcp_confreq", 0, BYTES, "Last LCP request sent");
    simple(28, "last_received_lcp_confreq", 0, BYTES, "Last LCP request received");
    simple(29, "proxy_authen_type", 16, DECIMAL, "Type of the proxy authentication");
    simple(30, "proxy_authen_name", 0, TEXT, "Name of the proxy authentication");
    simple(31, "proxy_authen_challenge", 0, BYTES, "Challenge of the proxy authentication");
    authenticationId =
        owner.floating("l2tp.avp.proxy_authen_id", 8, DECIMAL, "Id of the proxy authentication");
    simple(33, "proxy_authen_response", 0, BYTES, "Response of the proxy authentication");
    errors =
        new Field[] {
          error("crc_errors", "CRC errors"),
          error("framing_errors", "Framing errors"),
          error("hardware_overruns", "Hardware overruns"),
          error("buffer_overruns", "Buffer overruns"),
          error("time_out_errors", "Time-outs"),
          error("alignment_errors", "Alignment errors"),
        };
    sendMap = owner.floating("l2tp.avp.send_accm", 32, DECIMAL, "Characters to escape, sending");
    receiveMap =
        owner.floating("l2tp.avp.receive_accm", 32, DECIMAL, "Characters to escape, receiving");
    simple(36, "random_vector", 0, BYTES, "Random vector");
    simple(37, "private_group_id", 0, BYTES, "Private group");
    simple(38, "rx_connect_speed", 32, DECIMAL, "Receive speed in bit/s");
    owner.source("RFC 3145, section 2.1");
    disconnectCode = owner.floating("l2tp.avp.disconnect_code", 16, DECIMAL, "Disconnect code");
    disconnectProtocol =
        owner.floating("l2tp.avp.control_protocol_number", 16, DECIMAL, "Control protocol");
    disconnectDirection = owner.floating("l2tp.avp.cause_code_direction", 8, DECIMAL, "Direction");
    disconnectMessage = owner.floating("l2tp.avp.cause_code_message", 0, TEXT, "Message");
    owner.source("RFC 3931, section 5.4");
    simple(59, "message_digest", 0, BYTES, "Message digest");
    simple(60, "router_id", 32, DECIMAL, "Router");
    simple(61, "assigned_control_conn_id", 32, DECIMAL, "Assigned control connection");
    simple(62, "pw_type", 16, DECIMAL, "Pseudowire types");
    simple(63, "local_session_id", 32, DECIMAL, "Local session");
    simple(64, "remote_session_id", 32, DECIMAL, "Remote session");
    simple(65, "assigned_cookie", 0, BYTES, "Assigned cookie");
    simple(66, "remote_end_id", 0, TEXT, "Remote end");
    simple(68, "pseudowire_type", 16, DECIMAL, "Pseudowire type");
    simple(69, "layer2_specific_sublayer", 16, DECIMAL, "Layer-2-specific sublayer");
    simple(70, "data_sequencing", 16, DECIMAL, "Data sequencing");
    circuit =
        owner
            .parts(16)
            .skip(14)
            .part("l2tp.avp.circuit_type", 1, FLAG, "Circuit is new")
            .part("l2tp.avp.circuit_status", 1, FLAG, "Circuit is up");
    simple(72, "preferred_language", 0, TEXT, "Preferred language");
    simple(73, "nonce", 0, BYTES, "Nonce");
    simple(74, "tx_connect_speed_v3", 64, HEX, "Send speed in bit/s");
    simple(75, "rx_connect_speed_v3", 64, HEX, "Receive speed in bit/s");
    value = owner.floating("l2tp.avp.value", 0, BYTES, "Value of the attribute");
  }

  private void simple(int number, String name, int bits, Kind kind, String label) {
    simple[number] = owner.floating("l2tp.avp." + name, bits, kind, label);
  }

  private Field error(String name, String label) {
    return owner.floating("l2tp.avp." + name, 32, DECIMAL, label);
  }

  private Parts pair(String first, String second) {
    return owner
        .parts(32)
        .skip(30)
        .flag("l2tp.avp." + first, first.replace('_', ' '))
        .flag("l2tp.avp." + second, second.replace('_', ' '));
  }

  void dissect(Dissection dissection) {
    while (dissection.left() >= HEADER_BYTES) {
      int flags = dissection.u16(0);
      int length = flags & LENGTH_MASK;
      if (length < HEADER_BYTES) {
        dissection.malformed();
        return;
      }
      int before = dissection.enter(length);
      dissection.add(header);
      if ((flags & HIDDEN_FLAG) == 0) {
        int owning = (int) dissection.add(vendor);
        int number = (int) dissection.add(type(owning));
        value(dissection, owning == 0 ? number : -1);
      }
      dissection.leave(before);
    }
    if (dissection.left() > 0) {
      dissection.malformed();
    }
  }

  private Field type(int owning) {
    return switch (owning) {
      case 9 -> ciscoType;
      case 193 -> ericssonType;
      case 3561 -> broadbandType;
      case 4491 -> cableType;
      default -> type;
    };
  }

  private void value(Dissection dissection, int number) {
    switch (number) {
      case 1 -> result(dissection);
      case 2 -> {
        dissection.add(version);
        dissection.add(revision);
      }
      case 3 -> dissection.add(framing);
      case 4 -> dissection.add(bearer);
      case 12 -> {
        dissection.add(causeCode);
        dissection.add(causeMessage);
        dissection.addLeft(advisory);
      }
      case 18 -> dissection.add(bearerType);
      case 19 -> dissection.add(framingType);
      case 32 -> {
        dissection.skip(1);
        dissection.add(authenticationId);
      }
      case 34 -> {
        dissection.skip(2);
        for (Field error : errors) {
          dissection.add(error);
        }
      }
      case 35 -> {
        dissection.skip(2);
        dissection.add(sendMap);
        dissection.add(receiveMap);
      }
      case 46 -> disconnect(dissection);
      case 62 -> {
        while (dissection.left() >= 2) {
          simple(dissection, number);
        }
      }
      case 71 -> dissection.add(circuit);
      default -> simple(dissection, number);
    }
  }

  private void simple(Dissection dissection, int number) {
    Field field = number >= 0 && number < simple.length ? simple[number] : null;
    if (field == null) {
      dissection.addLeft(value);
    } else if (field.bits() == 0) {
      dissection.addLeft(field);
    } else {
      dissection.add(field);
    }
  }

  private void result(Dissection dissection) {
    dissection.add(resultCode);
    if (dissection.left() >= 2) {
      dissection.add(errorCode);
    }
    dissection.addLeft(errorMessage);
  }

  private void disconnect(Dissection dissection) {
    dissection.add(disconnectCode);
    dissection.add(disconnectProtocol);
    dissection.add(disconnectDirection);
    dissection.addLeft(disconnectMessage);
  }
}
