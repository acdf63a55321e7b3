import { TableHeads } from "#web/kit/tables/table-heads.tsx";
import { visuallyHidden } from "#web/kit/visually-hidden.ts";
import { typeScale } from "#web/theme/type-scale.ts";
import { styled } from "@mui/material/styles";
import type { ReactNode, Ref } from "react";

const Scroll = styled("div")({
  overflow: "auto",
  maxHeight: "70vh",
  margin: "16px 0",
  "@media print": { maxHeight: "none" },
});

const Table = styled("table")(({ theme }) => ({
  borderCollapse: "collapse",
  width: "100%",
  "& th, & td": {
    padding: "10px 12px 10px 0",
    ...typeScale.table,
    textAlign: "left",
    verticalAlign: "baseline",
    borderBottom: "1px solid",
    borderBottomColor: (theme.vars ?? theme).palette.divider,
  },
  // The heads stay in sight of a long table; a border of their own would go with the rows.
  "& thead th": {
    position: "sticky",
    top: 0,
    zIndex: 1,
    border: 0,
    ...typeScale.caption,
    fontWeight: 700,
    color: (theme.vars ?? theme).palette.text.caption,
    backgroundColor: (theme.vars ?? theme).palette.background.default,
    boxShadow: `inset 0 -1px ${(theme.vars ?? theme).palette.line.strong}`,
  },
  [theme.breakpoints.down("sm")]: {
    position: "relative",
    "&, & tbody": { display: "block" },
    "& thead": { ...visuallyHidden, display: "block" },
    "& tbody tr": {
      display: "grid",
      gridTemplateColumns: "minmax(0, 1fr)",
      rowGap: "4px",
      padding: "12px 0",
      borderBottom: "1px solid",
      borderBottomColor: (theme.vars ?? theme).palette.divider,
      // What only holds the room of rows that are not drawn.
      "&[aria-hidden]": { padding: 0, border: 0 },
    },
    "& tbody :is(th, td)": { display: "block", minWidth: 0, padding: 0, border: 0 },
    "& tbody [data-head]": { display: "flex", justifyContent: "space-between", columnGap: "16px" },
    // A screen reader already reads the column's header with the cell.
    "& tbody [data-head]::before": {
      content: ["attr(data-head)", 'attr(data-head) / ""'],
      flex: "none",
      color: (theme.vars ?? theme).palette.text.secondary,
    },
    "& tbody td:empty": { display: "none" },
  },
}));

type Props = {
  label: string;
  heads: readonly string[];
  /** Where only some of the rows are drawn: how many there are, the head left out. */
  rowCount?: number;
  scroll?: Ref<HTMLDivElement>;
  /** As high as its rows, for what is answered row by row. */
  isComplete?: boolean;
  children: ReactNode;
};

/**
 * A table of texts in a region that scrolls by itself and can be reached by keyboard. On a phone its rows stand one below
 * the other, each cell on a line of its own, led by the head that it names in `data-head`.
 */
export function TextTable({ label, heads, rowCount, scroll, isComplete = false, children }: Props) {
  const counted = rowCount === undefined ? {} : { "aria-rowcount": rowCount + 1 };
  return (
    <Scroll
      ref={scroll}
      role="region"
      aria-label={label}
      tabIndex={0}
      {...(isComplete ? { style: { maxHeight: "none" } } : {})}
    >
      <Table aria-label={label} {...counted}>
        <TableHeads heads={heads} />
        <tbody>{children}</tbody>
      </Table>
    </Scroll>
  );
}
