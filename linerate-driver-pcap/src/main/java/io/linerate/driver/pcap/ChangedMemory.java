package io.linerate.driver.pcap;

import io.linerate.core.driver.SystemCalls;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Asks the kernel which pages of a private map are no longer those of its file (PAGEMAP_SCAN of
 * Documentation/admin-guide/mm/pagemap.rst, since Linux 6.7).
 *
 * <pre>
 *  pm_scan_arg:  0      8       16      24     32         40    48        56
 *               | size | flags | start | end  | walk_end | vec | vec_len | max_pages
 *                64                  72              80                     88            96
 *               | category_inverted | category_mask | category_anyof_mask  | return_mask |
 * </pre>
 */
final class ChangedMemory implements AutoCloseable {
  /** _IOWR('f', 16, struct pm_scan_arg). */
  private static final long PAGEMAP_SCAN = 0xC060_6610L;

  private static final int ARGUMENT_BYTES = 96;
  private static final int REGION_BYTES = 24;
  private static final long PAGE_IS_FILE = 1 << 2;
  private static final long PAGE_IS_PRESENT = 1 << 3;
  private static final long PAGE_IS_SWAPPED = 1 << 4;

  private final SystemCalls calls;
  private final int descriptor;
  private final MemorySegment argument =
      Arena.ofAuto().allocate(ARGUMENT_BYTES + REGION_BYTES, Long.BYTES);

  ChangedMemory(SystemCalls calls) {
    this.calls = calls;
    descriptor = calls.open("/proc/self/pagemap", SystemCalls.O_RDONLY);
    set(0, ARGUMENT_BYTES);
    set(40, argument.address() + ARGUMENT_BYTES);
    set(48, 1);
    set(56, 1);
    set(64, PAGE_IS_FILE);
    set(72, PAGE_IS_FILE);
    set(80, PAGE_IS_PRESENT | PAGE_IS_SWAPPED);
    set(88, PAGE_IS_FILE);
  }

  private void set(long at, long value) {
    argument.set(ValueLayout.JAVA_LONG, at, value);
  }

  /** Whether pages of a range may be other than the file's; true where the kernel cannot say. */
  boolean mayBeIn(long address, long bytes) {
    if (descriptor < 0) {
      return true;
    }
    set(16, address);
    set(24, address + bytes);
    return calls.ioctl(descriptor, PAGEMAP_SCAN, argument.address()) != 0;
  }

  @Override
  public void close() {
    if (descriptor >= 0) {
      int _ = calls.close(descriptor);
    }
  }
}
