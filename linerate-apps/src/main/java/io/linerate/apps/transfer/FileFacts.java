package io.linerate.apps.transfer;

/**
 * What is said of a file before it is sent.
 *
 * @param name its path, relative to where it is put
 * @param size in bytes; {@link TransferWire#UNKNOWN_SIZE}: it comes by a pipe
 * @param modifiedNs since 1970
 * @param mode the lower nine bits of it
 * @param extentSize bytes of each piece that has a checksum of its own
 */
record FileFacts(String name, long size, long modifiedNs, int mode, int extentSize) {}
