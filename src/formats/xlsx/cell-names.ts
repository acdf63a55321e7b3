/** Letters of a column, counted from 0: 0 is A, 26 is AA. */
export function columnName(index: number): string {
  let name = "";
  for (let rest = index + 1; rest > 0; rest = Math.floor((rest - 1) / 26)) {
    name = String.fromCharCode(65 + ((rest - 1) % 26)) + name;
  }
  return name;
}

/** The column of "AB" or "AB12", counted from 0. */
export function columnOf(name: string): number {
  let column = 0;
  for (const letter of /^[A-Z]*/i.exec(name)?.[0].toUpperCase() ?? "")
    column = column * 26 + letter.charCodeAt(0) - 64;
  return column - 1;
}

/** Name of a cell; column counted from 0, row from 1, as Excel shows it: (3, 5) is D5. */
export function cellName(column: number, row: number): string {
  return `${columnName(column)}${row}`;
}
