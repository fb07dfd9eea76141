package io.linerate.fabric.host;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An endpoint's memory of shm that a peer is still to map: one that was asked for a link and has
 * not answered yet. libfabric 1.17 looks for no error there, and would use memory that is not there
 * (smr_progress_connreq), so that the file is put back in place when the endpoint has deleted it.
 * Pages that are all zero take no memory.
 */
public final class AwaitedRegion {
  private static final int PAGE_BYTES = 4096;

  private final Path path;
  private final long length;
  private final List<Page> pages = new ArrayList<>();

  private record Page(long at, ByteBuffer bytes) {}

  private AwaitedRegion(Path path, FileChannel file) throws IOException {
    this.path = path;
    length = file.size();
    for (long at = 0; at < length; at += PAGE_BYTES) {
      ByteBuffer page = ByteBuffer.allocate(PAGE_BYTES);
      int bytes = file.read(page, at);
      if (bytes > 0 && page.flip().mismatch(ByteBuffer.allocate(bytes)) >= 0) {
        pages.add(new Page(at, page));
      }
    }
  }

  /** That of an endpoint, before it is closed; null if no peer has to find it. */
  public static @Nullable AwaitedRegion of(SharedName name) {
    Path path = name.path();
    try (FileChannel file = FileChannel.open(path, StandardOpenOption.READ)) {
      return RegionForm.isAwaited(file) ? new AwaitedRegion(path, file) : null;
    } catch (IOException e) {
      return null; // There is none any more.
    }
  }

  /** Puts it back after the endpoint was closed; nobody can give it anything. */
  public void put() {
    try (FileChannel file =
        FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      file.write(ByteBuffer.allocate(1), length - 1);
      for (Page page : pages) {
        file.write(page.bytes, page.at);
      }
      new RegionRepair(file, 0).shut();
    } catch (IOException e) {
      // The provider has left it, or there is no room for it.
    }
  }
}
