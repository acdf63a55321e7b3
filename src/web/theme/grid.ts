/** The specified grid: 12 equal columns, whose spans change at the breakpoints. */
const COLUMNS = 12;

/** Style of a container whose children set their own spans. */
export const grid = {
  display: "grid",
  gap: 3,
  gridTemplateColumns: `repeat(${COLUMNS}, minmax(0, 1fr))`,
} as const;

type Span = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12;

/** Style of a child: number of columns it spans from each breakpoint on; all of them below the first. */
export function span(columns: { sm?: Span; md?: Span; lg?: Span } = {}) {
  const spans = Object.entries(columns).map(([from, count]) => [from, `span ${count}`]);
  return { gridColumn: { xs: `span ${COLUMNS}`, ...(Object.fromEntries(spans) as Record<string, string>) } };
}
