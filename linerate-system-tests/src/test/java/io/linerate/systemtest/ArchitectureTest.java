package io.linerate.systemtest;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.linerate.core.config.NearestWord;
import io.linerate.core.memory.BurstOwner;
import io.linerate.core.memory.OwnedBurst;
import io.linerate.core.port.DriverPort;
import io.linerate.core.port.RxQueue;
import io.linerate.core.port.TxQueue;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What modules and packages may use of each other. */
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
  void shouldLetConnectionsDependOnProtocolsOnly() {
    classes()
        .that()
        .resideInAPackage("io.linerate.track..")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            "java..",
            "org.jspecify.annotations",
            "io.linerate.core.memory..",
            "io.linerate.wire..",
            "io.linerate.track..")
        .check(LINERATE);
  }

  @Test
  void shouldLetFiltersDependOnPacketsOnly() {
    classes()
        .that()
        .resideInAPackage("io.linerate.filter..")
        .should()
        .onlyDependOnClassesThat(
            resideInAnyPackage(
                    "java..",
                    "org.jspecify.annotations",
                    "io.linerate.core.memory..",
                    "io.linerate.core.driver..",
                    "io.linerate.filter..")
                .or(type(NearestWord.class))) // For messages.
        .check(LINERATE);
    noClasses()
        .that()
        .resideInAPackage("io.linerate.filter..")
        .and()
        .resideOutsideOfPackage("io.linerate.filter.run..") // Writes loops over handles.
        .should()
        .dependOnClassesThat()
        .resideInAPackage("io.linerate.core.driver..")
        .check(LINERATE);
  }

  /** The language of rules is of use without graphs and programs. */
  @Test
  void shouldLetRulesDependOnConnectionsAndProtocolsOnly() {
    classes()
        .that()
        .resideInAPackage("io.linerate.middlebox.rule..")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            "java..",
            "org.jspecify.annotations",
            "io.linerate.core.config..",
            "io.linerate.wire..",
            "io.linerate.track..",
            "io.linerate.middlebox.rule..")
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
            "io.linerate.wire..", "io.linerate.track..", "io.linerate.graph.element..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("io.linerate.core.driver..")
        .check(LINERATE);
  }

  @Test
  void shouldLetNothingThatHandlersAreGivenLeadToDrivers() {
    Set<Class<?>> reachable = HandlerTypes.reachable();
    assertThat(reachable)
        .doesNotContain(
            BurstOwner.class, OwnedBurst.class, DriverPort.class, RxQueue.class, TxQueue.class)
        .noneMatch(HandlerTypes::isOfDrivers)
        .noneMatch(AutoCloseable.class::isAssignableFrom);
  }

  @Test
  void shouldLetHandlersMakeNothingThatHasPackets() {
    assertThat(Stream.concat(HandlerTypes.GIVEN.stream(), Stream.of(OwnedBurst.class)))
        .flatExtracting(type -> List.of(type.getConstructors()))
        .allMatch(made -> Stream.of(made.getParameterTypes()).anyMatch(HandlerTypes::isOfDrivers));
  }

  @Test
  void shouldHaveNoCyclesBetweenPackages() {
    slices().matching("io.linerate.(*).(*)..").should().beFreeOfCycles().check(LINERATE);
  }
}
