/** Upper bounds of what a workbook or a text file may hold; whatever passes one is refused before it is built in memory. */
export const DEFAULT_LIMITS = {
  /** Entries of the archive: each printed sheet brings three. */
  maxEntries: 2000,
  /** Unpacked size of one entry, bytes. */
  maxPartBytes: 64 * 1024 * 1024,
  /** Unpacked size of all entries, bytes. */
  maxUnpackedBytes: 96 * 1024 * 1024,
  /** Unpacked to packed size, for entries over 1 MB unpacked. */
  maxRatio: 200,
  /** Non-blank rows of a sheet, headers included. */
  maxRows: 30_020,
  /** As wide as sheets were before 2007; what they cost is bounded by the cells. */
  maxColumns: 256,
  /** Columns behind the last one allowed that are read all the same: a problem workbook has two columns more. */
  extraColumns: 2,
  /** Non-blank cells of the whole workbook, extra columns left out. */
  maxCells: 1_200_000,
  /** Characters of one cell; Excel itself stops at 32,767. */
  maxTextLength: 32_767,
  maxSharedStrings: 1_000_000,
};

export type Limits = typeof DEFAULT_LIMITS;
