/** Upper bounds of what a workbook or a text file may hold; whatever passes one is refused before it is built in memory. */
export type Limits = {
  /** Entries of the archive: each printed sheet brings three. */
  maxEntries: number;
  /** Unpacked size of one entry, bytes. */
  maxPartBytes: number;
  /** Unpacked size of all entries, bytes. */
  maxUnpackedBytes: number;
  /** Unpacked to packed size, for entries over 1 MB unpacked. */
  maxRatio: number;
  /** Non-blank rows of a sheet, headers included. */
  maxRows: number;
  /** As wide as sheets were before 2007; what they cost is bounded by the cells. */
  maxColumns: number;
  /** Columns behind the last one allowed that are read all the same: a workbook we gave back may have one column more. */
  extraColumns: number;
  /** Non-blank cells of the whole workbook, extra columns left out. */
  maxCells: number;
  /** Characters of one cell; Excel itself stops at 32,767. */
  maxTextLength: number;
  maxSharedStrings: number;
};

export const DEFAULT_LIMITS: Limits = {
  maxEntries: 2000,
  maxPartBytes: 64 * 1024 * 1024,
  maxUnpackedBytes: 96 * 1024 * 1024,
  maxRatio: 200,
  maxRows: 30_020,
  maxColumns: 256,
  extraColumns: 1,
  maxCells: 1_200_000,
  maxTextLength: 32_767,
  maxSharedStrings: 1_000_000,
};
