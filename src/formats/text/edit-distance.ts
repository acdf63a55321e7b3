/**
 * Counts the letters to insert, remove, replace or swap to turn one text into the other.
 * @param limit above it the exact number does not matter: returns `limit + 1`
 */
export function editDistance(a: string, b: string, limit: number): number {
  const far = limit + 1;
  if (Math.abs(a.length - b.length) > limit) return far;
  // Costs of three rows of the table; a cell without a cost is out of reach.
  const at = (costs: readonly number[], column: number) => costs[column] ?? far;
  let [beforeLast, last, current]: [number[], number[], number[]] = [[], [], []];
  for (let column = 0; column <= limit; column++) current.push(column);
  for (let row = 1; row <= a.length; row++) {
    [beforeLast, last, current] = [last, current, [row]];
    let best = row;
    // Only columns within the limit of the diagonal can stay within the limit.
    for (let column = 1; column <= Math.min(b.length, row + limit); column++) {
      let cost = far;
      if (column >= row - limit) {
        const isSame = a[row - 1] === b[column - 1];
        const isSwapped = column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
        cost = Math.min(at(last, column - 1) + (isSame ? 0 : 1), at(last, column) + 1);
        cost = Math.min(cost, at(current, column - 1) + 1);
        if (isSwapped) cost = Math.min(cost, at(beforeLast, column - 2) + 1);
      }
      current.push(cost);
      best = Math.min(best, cost);
    }
    if (best > limit) return far;
  }
  return Math.min(at(current, b.length), far);
}
