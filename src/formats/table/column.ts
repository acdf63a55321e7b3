/** A sheet column with its meaning. */
export type Column<F extends string = string> = { field: F; index: number; header: string };

/** Meanings that users chose for columns, by header key: a field or "ignore". */
export type ColumnChoices = ReadonlyMap<string, string>;
