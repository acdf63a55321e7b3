/** Archives consist of blocks of this many bytes. */
export const BLOCK = 512;

/** Where the fields of a header begin. @see IEEE Std 1003.1, pax, "ustar Interchange Format" */
export const OFFSETS = {
  name: 0,
  mode: 100,
  owner: 108,
  group: 116,
  size: 124,
  time: 136,
  checksum: 148,
  type: 156,
  magic: 257,
  prefix: 345,
} as const;

/** Size with the padding to full blocks. */
export const roundUp = (bytes: number): number => Math.ceil(bytes / BLOCK) * BLOCK;
