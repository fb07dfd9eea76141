package io.linerate.parquet;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.zip.GZIPOutputStream;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.compression.CompressionCodecFactory;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;

/** Compresses by the JDK: Parquet's own codecs are native, or Hadoop's. */
final class GzipCodec implements CompressionCodecFactory {
  @Override
  public BytesInputCompressor getCompressor(CompressionCodecName name) {
    return new BytesInputCompressor() {
      @Override
      public BytesInput compress(BytesInput bytes) throws IOException {
        ByteArrayOutputStream compressed = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(compressed)) {
          bytes.writeAllTo(gzip);
        }
        return BytesInput.from(compressed.toByteArray());
      }

      @Override
      public CompressionCodecName getCodecName() {
        return CompressionCodecName.GZIP;
      }

      @Override
      public void release() {}
    };
  }

  @Override
  public BytesInputDecompressor getDecompressor(CompressionCodecName name) {
    throw new UnsupportedOperationException("files are written only: codec=" + name);
  }

  @Override
  public void release() {}
}
