/** Returns the letters of a column index: 0 is A, 26 is AA. */
export function columnName(index: number): string {
  let name = "";
  for (let rest = index + 1; rest > 0; rest = Math.floor((rest - 1) / 26)) {
    name = String.fromCharCode(65 + ((rest - 1) % 26)) + name;
  }
  return name;
}

/**
 * Returns the name of a cell as Excel shows it, for a column starting at 0 and a row starting at 1: (3, 5) is
 * D5.
 */
export function cellName(column: number, row: number): string {
  return `${columnName(column)}${row}`;
}
