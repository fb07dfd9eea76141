package io.linerate.driver.pcap.libpcap;

import io.linerate.core.driver.CFunction;
import io.linerate.core.driver.Errno;
import io.linerate.core.driver.NativeMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

/**
 * The functions of libpcap, by their C names: pcap/pcap.h has the numbers. They return what C
 * returns, and trust their arguments. A {@code pcap_t} is an address, of one thread at a time.
 *
 * <p>Each throws a {@link io.linerate.core.port.PortException} that says what to install where
 * libpcap is missing, or too old to have it.
 */
final class Libpcap {
  static final int ERROR = -1;
  static final int ERROR_BREAK = -2;
  static final int ERROR_NO_SUCH_DEVICE = -5;
  static final int ERROR_PERM_DENIED = -8;
  static final int ERROR_IFACE_NOT_UP = -9;
  static final int ERROR_PROMISC_PERM_DENIED = -11;

  static final int PRECISION_MICRO = 0;
  static final int PRECISION_NANO = 1;

  /** Bytes that a text of an error may have: PCAP_ERRBUF_SIZE. */
  static final int ERRBUF_BYTES = 256;

  private static final int NETMASK_UNKNOWN = 0xFFFF_FFFF;

  private static final MethodHandle LIB_VERSION = function("pcap_lib_version");
  private static final MethodHandle FINDALLDEVS = function("pcap_findalldevs");
  private static final MethodHandle FREEALLDEVS = function("pcap_freealldevs");
  private static final MethodHandle CREATE = function("pcap_create");
  private static final MethodHandle OPEN_OFFLINE =
      function("pcap_open_offline_with_tstamp_precision");
  private static final MethodHandle CLOSE = function("pcap_close");
  private static final MethodHandle SET_SNAPLEN = function("pcap_set_snaplen");
  private static final MethodHandle SET_PROMISC = function("pcap_set_promisc");
  private static final MethodHandle SET_IMMEDIATE_MODE = function("pcap_set_immediate_mode");
  private static final MethodHandle SET_TIMEOUT = function("pcap_set_timeout");
  private static final MethodHandle SET_BUFFER_SIZE = function("pcap_set_buffer_size");
  private static final MethodHandle SET_TSTAMP_TYPE = function("pcap_set_tstamp_type");
  private static final MethodHandle SET_TSTAMP_PRECISION = function("pcap_set_tstamp_precision");
  private static final MethodHandle GET_TSTAMP_PRECISION = function("pcap_get_tstamp_precision");
  private static final MethodHandle LIST_TSTAMP_TYPES = function("pcap_list_tstamp_types");
  private static final MethodHandle FREE_TSTAMP_TYPES = function("pcap_free_tstamp_types");
  private static final MethodHandle TSTAMP_TYPE_NAME = function("pcap_tstamp_type_val_to_name");
  private static final MethodHandle TSTAMP_TYPE_VALUE = function("pcap_tstamp_type_name_to_val");
  private static final MethodHandle ACTIVATE = function("pcap_activate");
  private static final MethodHandle STATUSTOSTR = function("pcap_statustostr");
  private static final MethodHandle GETERR = function("pcap_geterr");
  private static final MethodHandle SETNONBLOCK = function("pcap_setnonblock");
  private static final MethodHandle SETDIRECTION = function("pcap_setdirection");
  private static final MethodHandle COMPILE = function("pcap_compile");
  private static final MethodHandle FREECODE = function("pcap_freecode");
  private static final MethodHandle SETFILTER = function("pcap_setfilter");
  private static final MethodHandle DATALINK = function("pcap_datalink");
  private static final MethodHandle SET_DATALINK = function("pcap_set_datalink");
  private static final MethodHandle LIST_DATALINKS = function("pcap_list_datalinks");
  private static final MethodHandle FREE_DATALINKS = function("pcap_free_datalinks");
  private static final MethodHandle SELECTABLE_FD = function("pcap_get_selectable_fd");

  /** Since 1.9. */
  private static final MethodHandle SELECT_TIMEOUT =
      LibpcapLibrary.LOADED.optional("pcap_get_required_select_timeout");

  private static final MethodHandle STATS = function("pcap_stats");
  private static final MethodHandle NEXT_EX = function("pcap_next_ex");
  private static final MethodHandle INJECT = function("pcap_inject");

  /** As SystemCalls of the core does: a call that has failed is made again with errno. */
  private static final MethodHandle INJECT_WITH_ERRNO =
      function("pcap_inject", Linker.Option.captureCallState("errno"));

  private static final MemoryLayout STATE = Linker.Option.captureStateLayout();
  private static final VarHandle ERRNO =
      STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));

  private Libpcap() {}

  private static MethodHandle function(String name, Linker.Option... options) {
    return LibpcapLibrary.LOADED.function(name, options);
  }

  /** Such as {@code libpcap version 1.10.3 (with TPACKET_V3)}. */
  static String libVersion() {
    return text(CFunction.call(LIB_VERSION));
  }

  static int findAllDevs(long list, long errorText) {
    return (int) CFunction.call(FINDALLDEVS, list, errorText);
  }

  static void freeAllDevs(long list) {
    CFunction.call(FREEALLDEVS, list);
  }

  /** 0 if it failed. */
  static long create(String device, long errorText) {
    try (Arena arena = Arena.ofConfined()) {
      return CFunction.call(CREATE, arena.allocateFrom(device).address(), errorText);
    }
  }

  /** 0 if it failed. */
  static long openOffline(String file, int precision, long errorText) {
    try (Arena arena = Arena.ofConfined()) {
      return CFunction.call(OPEN_OFFLINE, arena.allocateFrom(file).address(), precision, errorText);
    }
  }

  static void close(long pcap) {
    CFunction.call(CLOSE, pcap);
  }

  static int setSnaplen(long pcap, int bytes) {
    return (int) CFunction.call(SET_SNAPLEN, pcap, bytes);
  }

  static int setPromisc(long pcap, boolean isOn) {
    return (int) CFunction.call(SET_PROMISC, pcap, isOn ? 1 : 0);
  }

  static int setImmediateMode(long pcap, boolean isOn) {
    return (int) CFunction.call(SET_IMMEDIATE_MODE, pcap, isOn ? 1 : 0);
  }

  static int setTimeout(long pcap, int ms) {
    return (int) CFunction.call(SET_TIMEOUT, pcap, ms);
  }

  static int setBufferSize(long pcap, int bytes) {
    return (int) CFunction.call(SET_BUFFER_SIZE, pcap, bytes);
  }

  static int setTstampType(long pcap, int type) {
    return (int) CFunction.call(SET_TSTAMP_TYPE, pcap, type);
  }

  static int setTstampPrecision(long pcap, int precision) {
    return (int) CFunction.call(SET_TSTAMP_PRECISION, pcap, precision);
  }

  static int tstampPrecision(long pcap) {
    return (int) CFunction.call(GET_TSTAMP_PRECISION, pcap);
  }

  /** Names, such as {@code host}; none if the time cannot be chosen. Before it is activated. */
  static List<String> tstampTypes(long pcap) {
    return list(
        pcap,
        LIST_TSTAMP_TYPES,
        FREE_TSTAMP_TYPES,
        number -> {
          long name = CFunction.call(TSTAMP_TYPE_NAME, number);
          return name == 0 ? Integer.toString(number) : text(name);
        });
  }

  /** Negative if there is none of that name. */
  static int tstampTypeValue(String name) {
    try (Arena arena = Arena.ofConfined()) {
      return (int) CFunction.call(TSTAMP_TYPE_VALUE, arena.allocateFrom(name).address());
    }
  }

  static int activate(long pcap) {
    return (int) CFunction.call(ACTIVATE, pcap);
  }

  /** What a status of {@link #activate} means, in libpcap's words. */
  static String statusText(int status) {
    return text(CFunction.call(STATUSTOSTR, status));
  }

  /** What went wrong last. */
  static String error(long pcap) {
    return text(CFunction.call(GETERR, pcap));
  }

  static int setNonBlock(long pcap, boolean isOn, long errorText) {
    return (int) CFunction.call(SETNONBLOCK, pcap, isOn ? 1 : 0, errorText);
  }

  static int setDirection(long pcap, int direction) {
    return (int) CFunction.call(SETDIRECTION, pcap, direction);
  }

  /** One at a time: versions before 1.8 have one parser for all. */
  static synchronized int compile(long pcap, long program, String expression) {
    try (Arena arena = Arena.ofConfined()) {
      long text = arena.allocateFrom(expression).address();
      return (int) CFunction.call(COMPILE, pcap, program, text, 1, NETMASK_UNKNOWN);
    }
  }

  static void freeCode(long program) {
    CFunction.call(FREECODE, program);
  }

  static int setFilter(long pcap, long program) {
    return (int) CFunction.call(SETFILTER, pcap, program);
  }

  /** A DLT_ number of pcap/dlt.h. */
  static int datalink(long pcap) {
    return (int) CFunction.call(DATALINK, pcap);
  }

  static int setDatalink(long pcap, int datalink) {
    return (int) CFunction.call(SET_DATALINK, pcap, datalink);
  }

  /** Names of link types, such as {@code ETHERNET}. Once it is activated. */
  static List<String> linkTypes(long pcap) {
    return list(pcap, LIST_DATALINKS, FREE_DATALINKS, number -> DataLink.of(number).name());
  }

  /** A descriptor that poll(2) finds readable when packets come, or -1. */
  static int selectableDescriptor(long pcap) {
    boolean needsTimeout = CFunction.call(SELECT_TIMEOUT, pcap) != 0;
    return needsTimeout ? -1 : (int) CFunction.call(SELECTABLE_FD, pcap);
  }

  static int stats(long pcap, long stats) {
    return (int) CFunction.call(STATS, pcap, stats);
  }

  /** 1: there is a packet; 0: not now; {@link #ERROR}; {@link #ERROR_BREAK}: the file's end. */
  static int nextEx(long pcap, long header, long data) {
    try {
      return (int) (long) NEXT_EX.invokeExact(pcap, header, data, 0L, 0L, 0L);
    } catch (Throwable e) {
      throw CFunction.failed(e);
    }
  }

  /** {@code -errno} if it failed. */
  static int inject(long pcap, long bytes, int count) {
    try {
      int sent = (int) (long) INJECT.invokeExact(pcap, bytes, (long) count, 0L, 0L, 0L);
      return sent >= 0 ? sent : injectAgain(pcap, bytes, count);
    } catch (Throwable e) {
      throw CFunction.failed(e);
    }
  }

  private static int injectAgain(long pcap, long bytes, int count) throws Throwable {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(STATE);
      int sent =
          (int) (long) INJECT_WITH_ERRNO.invokeExact(state, pcap, bytes, (long) count, 0L, 0L, 0L);
      int errno = (int) ERRNO.get(state, 0L); // Some of libpcap's devices refuse without one.
      return sent >= 0 ? sent : -(errno == 0 ? Errno.EIO : errno);
    }
  }

  private static List<String> list(
      long pcap, MethodHandle list, MethodHandle free, IntFunction<String> toName) {
    List<String> names = new ArrayList<>();
    try (Arena arena = Arena.ofConfined()) {
      long array = arena.allocate(8, 8).address();
      int count = (int) CFunction.call(list, pcap, array);
      if (count > 0) {
        long numbers = NativeMemory.u64(array);
        for (int i = 0; i < count; i++) {
          names.add(toName.apply(NativeMemory.u32(numbers + 4L * i)));
        }
        CFunction.call(free, numbers);
      }
    }
    return names;
  }

  /** The text at an address, which is not 0. */
  static String text(long address) {
    return NativeMemory.ALL.getString(address);
  }
}
