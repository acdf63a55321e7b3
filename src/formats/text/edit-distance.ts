/**
 * Letters to insert, remove, replace or swap to make one text of the other.
 * @param limit above it the exact figure does not matter: `limit + 1` is answered
 */
export function editDistance(one: string, other: string, limit: number): number {
  if (Math.abs(one.length - other.length) > limit) return limit + 1;
  const grid: Grid = { one, other, row: 0, column: 0, beforeLast: [], last: [], current: [] };
  for (let column = 0; column <= limit; column++) grid.current.push(column);
  for (grid.row = 1; grid.row <= one.length; grid.row++) {
    [grid.beforeLast, grid.last, grid.current] = [grid.last, grid.current, []];
    if (fillRow(grid, limit) > limit) return limit + 1;
  }
  return Math.min(grid.current[other.length] ?? limit + 1, limit + 1);
}

/** Costs of three rows of the table; a place without a cost is out of reach. */
type Grid = {
  one: string;
  other: string;
  row: number;
  column: number;
  beforeLast: number[];
  last: number[];
  current: number[];
};

/** Only columns within the limit of the diagonal can stay within the limit. @returns the row's lowest cost */
function fillRow(grid: Grid, limit: number): number {
  const { row, current } = grid;
  const to = Math.min(grid.other.length, row + limit);
  let best = row;
  current.push(row);
  for (grid.column = 1; grid.column <= to; grid.column++) {
    const cost = grid.column < row - limit ? limit + 1 : cheapestStep(grid);
    current.push(cost);
    if (cost < best) best = cost;
  }
  return best;
}

function cheapestStep({ one, other, row, column, beforeLast, last, current }: Grid): number {
  const far = one.length + other.length;
  const isSame = one[row - 1] === other[column - 1];
  let cost = (last[column - 1] ?? far) + (isSame ? 0 : 1);
  cost = Math.min(cost, (last[column] ?? far) + 1, (current[column - 1] ?? far) + 1);
  const isSwapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
  return isSwapped ? Math.min(cost, (beforeLast[column - 2] ?? far) + 1) : cost;
}
