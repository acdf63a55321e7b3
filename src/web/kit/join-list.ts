const list = new Intl.ListFormat("en-US", { type: "conjunction" });

/** Joins words: "A", "A and B", "A, B, and C". */
export const joinList = (parts: readonly string[]): string => list.format(parts);
