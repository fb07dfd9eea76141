package io.linerate.driver.linux.xdp;

/**
 * Where the parts of a mapped ring are.
 *
 * @param address of the mapping
 * @param mappedBytes its length
 * @param size slots, a power of two
 */
record RingMap(
    long address,
    long mappedBytes,
    int size,
    long producerAddress,
    long consumerAddress,
    long flagsAddress,
    long slots) {}
