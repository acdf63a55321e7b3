/** Upper bounds of a workbook or text file; a file beyond one is refused before it is built in memory. */
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
  /** More than any export has, one column a day for two years included. */
  maxColumns: 1024,
  /** Places of all rows of a sheet, blank ones to the left of a value included: each costs memory. */
  maxPlaces: 8_000_000,
  /** Columns read after the last one allowed: a problem workbook adds two columns. */
  extraColumns: 2,
  /** Non-blank cells of the whole workbook, extra columns left out. */
  maxCells: 1_200_000,
  /** Characters of one cell; Excel itself stops at 32,767. */
  maxTextLength: 32_767,
  maxSharedStrings: 1_000_000,
};

export type Limits = typeof DEFAULT_LIMITS;
