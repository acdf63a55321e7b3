/** Bytes that are taken in at once; what is read of a large file is gone before the next are. */
export const CHUNK_BYTES = 32 * 1024;

/** Characters of one segment; the longest that the documents have is a message of some hundred. */
export const MAX_SEGMENT_LENGTH = 32_768;

/** Segments of one transaction set: an order of some thousand lines. */
export const MAX_SET_SEGMENTS = 50_000;
