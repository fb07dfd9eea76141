package io.linerate.apps.transfer;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A file, which is no link. */
final class FileContent implements Content {
  private final FileChannel channel;

  FileContent(Path path) throws IOException {
    // To open a pipe would wait for who writes to it.
    if (!Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)) {
      throw new IOException("it is no file any more");
    }
    channel = FileChannel.open(path, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
  }

  @Override
  public int read(long offset, ByteBuffer to) throws IOException {
    int count = 0;
    while (to.hasRemaining()) {
      int some = channel.read(to, offset + count);
      if (some < 0) {
        break;
      }
      count += some;
    }
    return count;
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
