import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFile.ClassHierarchyResolverOption;
import java.lang.classfile.ClassFile.StackMapsOption;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeTransform;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/**
 * Gives the classes of a jar that were compiled for Java 5 the stack maps of Java 8: classes
 * without are left out of the JVM's cache of loaded classes. Nothing else of them is changed. Run
 * at build time. Argument: the jar.
 */
final class ClassUpgrade {
  private static final int JAVA_6 = 50;
  private static final int JAVA_8 = 52;
  private static final String NOTE = "META-INF/CHANGED-BY-LINERATE";

  private ClassUpgrade() {}

  public static void main(String[] arguments) throws IOException {
    Path jar = Path.of(arguments[0]);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ZipFile in = new ZipFile(jar.toFile());
        ZipOutputStream out = new ZipOutputStream(bytes)) {
      if (in.getEntry(NOTE) != null) {
        return;
      }
      ClassFile upgrade =
          ClassFile.of(
              StackMapsOption.GENERATE_STACK_MAPS,
              ClassHierarchyResolverOption.of(
                  ClassHierarchyResolver.ofResourceParsing(
                          type -> open(in, type.descriptorString()))
                      .orElse(ClassHierarchyResolver.defaultResolver())));
      for (ZipEntry entry : Collections.list(in.entries())) {
        byte[] content = in.getInputStream(entry).readAllBytes();
        write(
            out, entry, entry.getName().endsWith(".class") ? upgraded(upgrade, content) : content);
      }
      ZipEntry note = new ZipEntry(NOTE);
      note.setTime(in.entries().nextElement().getTime());
      write(
          out,
          note,
          "Classes were given stack maps, and version 52 of the class file format.\n"
              .getBytes(StandardCharsets.UTF_8));
    }
    Files.write(jar, bytes.toByteArray());
  }

  /** The class file of a type in the jar, if it is there. */
  private static InputStream open(ZipFile jar, String descriptor) {
    ZipEntry entry = jar.getEntry(descriptor.substring(1, descriptor.length() - 1) + ".class");
    try {
      return entry == null ? null : jar.getInputStream(entry);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static byte[] upgraded(ClassFile upgrade, byte[] content) {
    ClassModel model = upgrade.parse(content);
    return model.majorVersion() >= JAVA_6
        ? content
        : upgrade.transformClass(
            model,
            ClassTransform.endHandler(made -> made.withVersion(JAVA_8, 0))
                .andThen(ClassTransform.transformingMethodBodies(CodeTransform.ACCEPT_ALL)));
  }

  private static void write(ZipOutputStream out, ZipEntry like, byte[] content) throws IOException {
    ZipEntry entry = new ZipEntry(like.getName());
    entry.setTime(like.getTime());
    out.putNextEntry(entry);
    out.write(content);
    out.closeEntry();
  }
}
