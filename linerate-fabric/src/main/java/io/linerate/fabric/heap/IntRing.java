package io.linerate.fabric.heap;

/** Numbers, first in, first out; as many at a time as it has room for. */
final class IntRing {
  private final int[] numbers;
  private int first;
  private int size;

  IntRing(int capacity) {
    numbers = new int[capacity];
  }

  boolean isEmpty() {
    return size == 0;
  }

  int size() {
    return size;
  }

  int first() {
    return numbers[first];
  }

  void add(int number) {
    int place = first + size++;
    numbers[place < numbers.length ? place : place - numbers.length] = number;
  }

  int remove() {
    int removed = numbers[first];
    first = first + 1 == numbers.length ? 0 : first + 1;
    size--;
    return removed;
  }
}
