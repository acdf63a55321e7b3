/** Bytes read at once, so that a large file is never in memory as a whole. */
export const CHUNK_BYTES = 32 * 1024;

/** Characters of one segment. The longest real ones are messages of a few hundred. */
export const MAX_SEGMENT_LENGTH = 32_768;

/** Segments of one transaction set: an order of some thousand lines. */
export const MAX_SET_SEGMENTS = 50_000;
