package io.linerate.manual;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.util.Set;
import javax.annotation.processing.AbstractProcessor;
import javax.annotation.processing.RoundEnvironment;
import javax.lang.model.SourceVersion;
import javax.lang.model.element.Element;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.TypeElement;
import javax.lang.model.util.ElementFilter;
import javax.tools.FileObject;
import javax.tools.StandardLocation;

/**
 * An annotation processor that writes the manual page of each element of a graph, {@code
 * io.linerate.graph.Element}, which is compiled: the comment of its class as plain text, in {@code
 * META-INF/linerate/manual/CLASS.txt}. {@code linerate top}, the page of a program and {@code
 * ElementDescription} show it.
 */
public final class ManualPages extends AbstractProcessor {
  private static final String ELEMENT = "io.linerate.graph.Element";
  private static final String FOLDER = "META-INF/linerate/manual/";

  @Override
  public Set<String> getSupportedAnnotationTypes() {
    return Set.of("*");
  }

  @Override
  public SourceVersion getSupportedSourceVersion() {
    return SourceVersion.latest();
  }

  /** Claims no annotation. */
  @Override
  public boolean process(Set<? extends TypeElement> annotations, RoundEnvironment round) {
    TypeElement element = processingEnv.getElementUtils().getTypeElement(ELEMENT);
    if (element != null) {
      ElementFilter.typesIn(round.getRootElements()).forEach(type -> write(type, element));
    }
    return false;
  }

  private void write(TypeElement type, TypeElement element) {
    ElementFilter.typesIn(type.getEnclosedElements()).forEach(inner -> write(inner, element));
    String comment = processingEnv.getElementUtils().getDocComment(type);
    if (comment == null
        || type.getModifiers().contains(Modifier.ABSTRACT)
        || !processingEnv.getTypeUtils().isAssignable(type.asType(), element.asType())) {
      return;
    }
    String name = processingEnv.getElementUtils().getBinaryName(type).toString();
    try (Writer page = create(FOLDER + name + ".txt", type).openWriter()) {
      page.write(CommentText.of(comment));
    } catch (IOException e) {
      throw new UncheckedIOException("manual page cannot be written: class=" + name, e);
    }
  }

  private FileObject create(String file, Element of) throws IOException {
    return processingEnv.getFiler().createResource(StandardLocation.CLASS_OUTPUT, "", file, of);
  }
}
