package io.linerate.systemtest;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.linerate.core.memory.Handles;
import io.linerate.core.memory.InternetSum;
import io.linerate.core.memory.Mbuf;
import io.linerate.driver.linux.SharedMemory;
import io.linerate.driver.linux.SystemCalls;
import org.junit.jupiter.api.Test;

/** The rooms of the house and the doors between them. */
class ArchitectureTest {
  private static final JavaClasses LINERATE =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("io.linerate");

  @Test
  void shouldLetCoreAndWireDependOnTheJdkOnly() {
    classes()
        .that()
        .resideInAnyPackage("io.linerate.core..", "io.linerate.wire..")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            "java..",
            "jdk.jfr..",
            "com.sun.management",
            "org.jspecify.annotations",
            "io.linerate.core..",
            "io.linerate.wire..")
        .check(LINERATE);
    noClasses()
        .that()
        .resideInAPackage("io.linerate.core..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("io.linerate.wire..")
        .check(LINERATE);
  }

  @Test
  void shouldKeepDriversApartFromApplicationsAndProtocols() {
    noClasses()
        .that()
        .resideInAPackage("io.linerate.driver..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("io.linerate.apps..", "io.linerate.wire..")
        .check(LINERATE);
  }

  @Test
  void shouldKeepElementsFromTheEngineAndTheEngineFromElements() {
    noClasses()
        .that()
        .resideInAnyPackage("io.linerate.core..", "io.linerate.wire..", "io.linerate.driver..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("io.linerate.graph..")
        .check(LINERATE);
    noClasses()
        .that()
        .resideInAnyPackage("io.linerate.graph..", "io.linerate.dashboard..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("io.linerate.apps..")
        .check(LINERATE);
    noClasses()
        .that()
        .resideInAPackage("io.linerate.graph")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("io.linerate.graph.element..")
        .check(LINERATE);
  }

  @Test
  void shouldLeaveRawMemoryToDrivers() {
    noClasses()
        .that()
        .resideInAnyPackage(
            "io.linerate.apps..", "io.linerate.wire..", "io.linerate.graph.element..")
        .should()
        .dependOnClassesThat()
        .belongToAnyOf(
            Mbuf.class, Handles.class, InternetSum.class, SharedMemory.class, SystemCalls.class)
        .check(LINERATE);
  }

  @Test
  void shouldHaveNoCyclesBetweenPackages() {
    slices().matching("io.linerate.(*).(*)..").should().beFreeOfCycles().check(LINERATE);
  }
}
