package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.BYTES;
import static io.linerate.decode.Kind.DECIMAL;
import static io.linerate.decode.Kind.FLAG;
import static io.linerate.decode.Kind.HEX;
import static io.linerate.decode.Kind.IPV4;
import static io.linerate.decode.Kind.IPV6;
import static io.linerate.decode.Kind.TEXT;
import static io.linerate.decode.Kind.TIME;

import io.linerate.decode.Dissection;
import io.linerate.decode.Field;
import io.linerate.decode.Fields;
import io.linerate.decode.Kind;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The attributes of RADIUS; https://www.iana.org/assignments/radius-types. */
final class RadiusAttributes {
  private static final Fields RADIUS = RadiusProtocol.RADIUS.source("RFC 2865, section 5");
  private static final Field ATTRIBUTE = RADIUS.floating("radius.avp", 0, BYTES, "Attribute");
  private static final Field TYPE = RADIUS.floating("radius.avp.type", 8, DECIMAL, "Type");
  private static final Field LENGTH = RADIUS.floating("radius.avp.length", 8, DECIMAL, "Length");
  private static final Field VENDOR =
      RADIUS
          .source("RFC 2865, section 5.26")
          .floating("radius.avp.vendor_id", 32, DECIMAL, "Vendor");
  private static final Field VENDOR_TYPE =
      RADIUS.floating("radius.avp.vendor_type", 8, DECIMAL, "Vendor's type");
  private static final Field VENDOR_LENGTH =
      RADIUS.floating("radius.avp.vendor_len", 8, DECIMAL, "Vendor's length");
  private static final Field EXTENDED_TYPE =
      RADIUS
          .source("RFC 6929, section 2.1")
          .floating("radius.avp.extended_type", 8, DECIMAL, "Extended type");
  private static final Field EXTENDED_MORE =
      RADIUS.floating("radius.avp.extended_more", 1, FLAG, "More follows");
  private static final Field UNKNOWN =
      RADIUS.source("RFC 2865, section 5").floating("radius.Unknown_Attribute", 0, BYTES, "Value");
  private static final Field CHAP_IDENTIFIER =
      RADIUS.source("RFC 2865, section 5.3").floating("radius.CHAP_Ident", 8, HEX, "Identifier");
  private static final Field CHAP_RESPONSE =
      RADIUS.floating("radius.CHAP_String", 0, BYTES, "Response");

  private static final int HEADER_BYTES = 2;
  private static final int CHAP = 3;
  private static final int VENDOR_SPECIFIC = 26;
  private static final int FIRST_EXTENDED = 241;
  private static final int FIRST_LONG_EXTENDED = 245;
  private static final int LAST_EXTENDED = 246;

  /** RFC 2868, section 3.1. */
  private static final int LAST_TAG = 0x1F;

  private static final long NS_PER_SECOND = 1_000_000_000L;

  /**
   * Number, form and name of each. The forms: text, bytes, number, seconds since 1970, addresses of
   * IPv4 and IPv6, IPX network; in capital letters with a tag before them.
   */
  private static final String ALL =
      "1t:User_Name 2b:User_Password_encrypted 3b:CHAP_Password 44:NAS_IP_Address "
          + "5n:NAS_Port 6n:Service_Type 7n:Framed_Protocol 84:Framed-IP-Address "
          + "94:Framed_IP_Netmask 10n:Framed_Routing 11t:Filter_Id 12n:Framed_MTU "
          + "13n:Framed_Compression 144:Login-IP-Host 15n:Login_Service 16n:Login_TCP_Port "
          + "17t:Old_Password 18t:Reply_Message 19t:Callback_Number 20t:Callback_Id "
          + "22t:Framed_Route 23x:Framed-IPX-Network 24b:State 25b:Class 27n:Session_Timeout "
          + "28n:Idle_Timeout 29n:Termination_Action 30t:Called_Station_Id "
          + "31t:Calling_Station_Id 32t:NAS_Identifier 33b:Proxy_State 34t:Login_LAT_Service "
          + "35t:Login_LAT_Node 36b:Login_LAT_Group 37n:Framed_AppleTalk_Link "
          + "38n:Framed_AppleTalk_Network 39t:Framed_AppleTalk_Zone 40n:Acct_Status_Type "
          + "41n:Acct_Delay_Time 42n:Acct_Input_Octets 43n:Acct_Output_Octets "
          + "44t:Acct_Session_Id 45n:Acct_Authentic 46n:Acct_Session_Time "
          + "47n:Acct_Input_Packets 48n:Acct_Output_Packets 49n:Acct_Terminate_Cause "
          + "50t:Acct_Multi_Session_Id 51n:Acct_Link_Count 52n:Acct_Input_Gigawords "
          + "53n:Acct_Output_Gigawords 55s:Event_Timestamp 57n:Ingress_Filters "
          + "59b:User_Priority_Table 60b:CHAP_Challenge 61n:NAS_Port_Type 62n:Port_Limit "
          + "63t:Login_LAT_Port 64N:Tunnel_Type 65N:Tunnel_Medium_Type "
          + "66T:Tunnel_Client_Endpoint 67T:Tunnel_Server_Endpoint 68t:Acct_Tunnel_Connection "
          + "69B:Tunnel_Password_encrypted 70b:ARAP_Password 71b:ARAP_Features "
          + "72n:ARAP_Zone_Access 73n:ARAP_Security 74t:ARAP_Security_Data 75n:Password_Retry "
          + "76n:Prompt 77t:Connect_Info 78t:Configuration_Token 79b:eap_fragment "
          + "80b:Message_Authenticator 81T:Tunnel_Private_Group_Id 82T:Tunnel_Assignment_Id "
          + "83N:Tunnel_Preference 84b:ARAP_Challenge_Response 85n:Acct_Interim_Interval "
          + "86n:Acct_Tunnel_Packets_Lost 87t:NAS_Port_Id 88t:Framed_Pool "
          + "89t:Chargeable_User_Identity 90T:Tunnel_Client_Auth_Id 91T:Tunnel_Server_Auth_Id "
          + "92t:NAS_Filter_Rule 94t:Originating_Line_Info 956:NAS_IPv6_Address "
          + "96b:Framed_Interface_Id 97b:Framed_IPv6_Prefix 986:Login_IPv6_Host "
          + "99t:Framed_IPv6_Route 100t:Framed_IPv6_Pool 101n:Error_Cause 102t:EAP_Key_Name "
          + "123b:Delegated_IPv6_Prefix 124b:MIP6_Feature_Vector 125b:MIP6_Home_Link_Prefix "
          + "126n:Multi_Link_Flag 127b:Location_Information 128b:Location_Data "
          + "129b:Basic_Location_Policy_Rules 130t:Extended_Location_Policy_Rules "
          + "131n:Location_Capable 132n:Requested_Location_Info 133n:Framed_Management "
          + "134n:Management_Transport_Protection 135t:Management_Policy_Id "
          + "136n:Management_Privilege_Level 137b:PKM_SS_Cert 138b:PKM_CA_Cert "
          + "139b:PKM_Config_Settings 140b:PKM_Cryptosuite_List 141n:PKM_SAID "
          + "142b:PKM_SA_Descriptor 143b:PKM_Auth_Key 144t:DS_Lite_Tunnel_Name "
          + "145b:Mobile_Node_Identifier 146t:Service_Selection "
          + "1494:PMIP6_Home_LMA_IPv4_Address 1504:PMIP6_Visited_LMA_IPv4_Address "
          + "153b:PMIP6_Home_Interface_ID 154b:PMIP6_Visited_Interface_ID "
          + "155b:PMIP6_Home_IPv4_HoA 156b:PMIP6_Visited_IPv4_HoA "
          + "1574:PMIP6_Home_DHCP4_Server_Address 1584:PMIP6_Visited_DHCP4_Server_Address "
          + "1614:PMIP6_Home_IPv4_Gateway 1624:PMIP6_Visited_IPv4_Gateway 163n:EAP_Lower_Layer "
          + "164t:GSS_Acceptor_Service_Name 165t:GSS_Acceptor_Host_Name "
          + "166t:GSS_Acceptor_Service_Specifics 167t:GSS_Acceptor_Realm_Name "
          + "1686:Framed_IPv6_Address 171t:Delegated_IPv6_Prefix_Pool "
          + "172t:Stateful_IPv6_Address_Pool 206t:Digest_Response 207b:Digest_Attributes "
          + "250n:Char_Noecho";

  private static final NumberedTable<Attribute> ATTRIBUTES = attributes();

  private record Attribute(Field field, @Nullable Field tag) {}

  private RadiusAttributes() {}

  /** Has the fields declared, with those of the protocol. */
  static void declare() {}

  private static NumberedTable<Attribute> attributes() {
    RADIUS.source("IANA, RADIUS types");
    Map<Integer, Attribute> all = new HashMap<>();
    for (String entry : ALL.split(" ", -1)) {
      int colon = entry.indexOf(':');
      char form = entry.charAt(colon - 1);
      String name = entry.substring(colon + 1);
      String label = name.replace('_', ' ');
      String plain = name.replace("_encrypted", "");
      Field tag =
          Character.isUpperCase(form)
              ? RADIUS.floating("radius." + plain + ".tag", 8, HEX, label + "'s tag")
              : null;
      Field field = RADIUS.floating("radius." + name, bits(form), kind(form), label);
      all.put(Integer.parseInt(entry, 0, colon - 1, 10), new Attribute(field, tag));
    }
    return new NumberedTable<>(all);
  }

  private static Kind kind(char form) {
    return switch (Character.toLowerCase(form)) {
      case 't' -> TEXT;
      case 'n' -> DECIMAL;
      case 's' -> TIME;
      case 'x' -> HEX;
      case '4' -> IPV4;
      case '6' -> IPV6;
      default -> BYTES;
    };
  }

  private static int bits(char form) {
    return switch (Character.toLowerCase(form)) {
      case 'n', 's', 'x', '4' -> 32;
      case '6' -> 128;
      default -> 0;
    };
  }

  /** Says what the attributes are, from the cursor to the end. */
  static void dissect(Dissection dissection) {
    while (dissection.left() > 0) {
      int type = dissection.u8(0);
      int bytes = dissection.u8(1);
      if (bytes < HEADER_BYTES || !dissection.has(bytes)) {
        dissection.skip(dissection.left() + 1);
        return;
      }
      dissection.open(ATTRIBUTE, bytes);
      dissection.add(TYPE);
      dissection.add(LENGTH);
      int before = dissection.enter(bytes - HEADER_BYTES);
      value(dissection, type);
      dissection.leave(before);
      dissection.close();
    }
  }

  private static void value(Dissection dissection, int type) {
    Attribute attribute = ATTRIBUTES.find(type);
    if (type == VENDOR_SPECIFIC) {
      vendor(dissection);
    } else if (type >= FIRST_EXTENDED && type <= LAST_EXTENDED) {
      dissection.add(EXTENDED_TYPE);
      if (type >= FIRST_LONG_EXTENDED) {
        dissection.value(EXTENDED_MORE, dissection.u8(0) >>> 7, 0, 1);
        dissection.skip(1);
      }
      rest(dissection, UNKNOWN);
    } else if (attribute == null) {
      rest(dissection, UNKNOWN);
    } else {
      if (type == CHAP && dissection.left() > 1) {
        chap(dissection, attribute.field());
      } else {
        known(dissection, attribute);
      }
    }
  }

  private static void chap(Dissection dissection, Field whole) {
    dissection.bytes(whole, 0, dissection.left());
    dissection.add(CHAP_IDENTIFIER);
    dissection.add(CHAP_RESPONSE, dissection.left());
  }

  private static void known(Dissection dissection, Attribute attribute) {
    Field tag = attribute.tag();
    if (tag != null && dissection.left() > 0 && dissection.u8(0) <= LAST_TAG) {
      dissection.add(tag);
    }
    Field field = attribute.field();
    int left = dissection.left();
    switch (field.kind()) {
      case TIME -> {
        if (left == 4) {
          dissection.value(field, dissection.u32(0) * NS_PER_SECOND, 0, 4);
        }
      }
      case DECIMAL -> {
        if (left > 0 && left <= Long.BYTES) {
          dissection.add(field, left);
        }
      }
      case HEX, IPV4, IPV6 -> {
        if (left == field.bits() / Byte.SIZE) {
          dissection.add(field);
        }
      }
      default -> rest(dissection, field);
    }
  }

  private static void rest(Dissection dissection, Field field) {
    if (dissection.left() > 0) {
      dissection.add(field, dissection.left());
    }
  }

  /** Most vendors have attributes in theirs: RFC 2865, section 5.26. */
  private static void vendor(Dissection dissection) {
    dissection.add(VENDOR);
    while (dissection.left() > 0) {
      int bytes = dissection.u8(1);
      if (bytes < HEADER_BYTES || !dissection.has(bytes)) {
        rest(dissection, UNKNOWN);
        return;
      }
      dissection.add(VENDOR_TYPE);
      dissection.add(VENDOR_LENGTH);
      if (bytes > HEADER_BYTES) {
        dissection.add(UNKNOWN, bytes - HEADER_BYTES);
      }
    }
  }
}
