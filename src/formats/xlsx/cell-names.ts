/** Letters of a column, counted from 0: 0 is A, 26 is AA. */
export function columnName(index: number): string {
  let name = "";
  for (let rest = index + 1; rest > 0; rest = Math.floor((rest - 1) / 26)) {
    name = String.fromCharCode(65 + ((rest - 1) % 26)) + name;
  }
  return name;
}

/** Name of a cell; column counted from 0, row from 1, as Excel shows it: (3, 5) is D5. */
export function cellName(column: number, row: number): string {
  return `${columnName(column)}${row}`;
}
