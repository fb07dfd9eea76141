package io.linerate.dashboard.http;

/**
 * A value that a request carries.
 *
 * @param isInBody whether it is a member of the body; after the question mark otherwise
 * @param type of JSON Schema, such as {@code string}
 */
public record RouteParameter(
    String name, boolean isInBody, String type, boolean isRequired, String description) {
  /** A part of the address after the question mark. */
  public static RouteParameter query(String name, String type, String description) {
    return new RouteParameter(name, false, type, false, description);
  }

  /** The same, but it must be there. */
  public RouteParameter required() {
    return new RouteParameter(name, isInBody, type, true, description);
  }

  /** A member of the body that must be there. */
  public static RouteParameter member(String name, String type, String description) {
    return new RouteParameter(name, true, type, true, description);
  }

  /** A member of the body that may be there. */
  public static RouteParameter optionalMember(String name, String type, String description) {
    return new RouteParameter(name, true, type, false, description);
  }
}
