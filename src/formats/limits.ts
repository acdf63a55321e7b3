/** Limits of a workbook or text file; a file beyond one is refused before it is built in memory. */
export const DEFAULT_LIMITS = {
  /** Archive entries: each printed sheet adds three. */
  maxEntries: 2000,
  /** Unpacked size of one entry, bytes. */
  maxPartBytes: 64 * 1024 * 1024,
  /** Unpacked size of all entries, bytes. */
  maxUnpackedBytes: 96 * 1024 * 1024,
  /** Ratio of unpacked to packed size, for entries over 1 MB unpacked. */
  maxRatio: 200,
  /** Non-blank rows of a sheet, headers included. */
  maxRows: 30_020,
  /** More than any export has, even with one column per day for two years. */
  maxColumns: 1024,
  /** Cell slots of all rows of a sheet, including blank ones left of a value, because each takes memory. */
  maxPlaces: 8_000_000,
  /** Columns read beyond the limit: a problem workbook adds two columns. */
  extraColumns: 2,
  /** Non-blank cells of the whole workbook, without extra columns. */
  maxCells: 1_200_000,
  /** Characters in one cell; Excel's own limit is 32,767. */
  maxTextLength: 32_767,
  maxSharedStrings: 1_000_000,
};

export type Limits = typeof DEFAULT_LIMITS;
