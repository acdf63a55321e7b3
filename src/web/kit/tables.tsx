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
  // The headers of a long table stay visible; their own border would scroll away with the rows.
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
      // Spacers for rows that are not rendered.
      "&[aria-hidden]": { padding: 0, border: 0 },
    },
    "& tbody :is(th, td)": { display: "block", minWidth: 0, padding: 0, border: 0 },
    "& tbody [data-head]": {
      display: "flex",
      justifyContent: "space-between",
      columnGap: "16px",
      textAlign: "right",
    },
    // A screen reader already reads the column header with the cell.
    "& tbody [data-head]::before": {
      content: ["attr(data-head)", 'attr(data-head) / ""'],
      flex: "none",
      color: (theme.vars ?? theme).palette.text.secondary,
    },
    "& tbody td:empty": { display: "none" },
  },
}));

type TextProps = {
  label: string;
  heads: readonly string[];
  /** Total number of rows without the header, if only some are rendered. */
  rowCount?: number;
  scroll?: Ref<HTMLDivElement>;
  /** As high as its rows, for tables that are answered row by row. */
  isComplete?: boolean;
  children: ReactNode;
};

/**
 * A table of texts in a scroll region that can be reached by keyboard. On a phone each cell is on a separate
 * line, after its column header from `data-head`.
 */
export function TextTable({ label, heads, rowCount, scroll, isComplete = false, children }: TextProps) {
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

const Wide = styled("div")({ overflowX: "auto", margin: "16px 0" });

const Figures = styled("table")(({ theme }) => ({
  borderCollapse: "collapse",
  "& th, & td": {
    padding: "10px 12px",
    ...typeScale.table,
    textAlign: "right",
    borderBottom: "1px solid",
    borderBottomColor: (theme.vars ?? theme).palette.divider,
  },
  "& thead th": {
    ...typeScale.caption,
    fontWeight: 700,
    color: (theme.vars ?? theme).palette.text.caption,
    borderBottomColor: (theme.vars ?? theme).palette.line.strong,
  },
  "& tbody th": { fontWeight: 400 },
  "& th:first-of-type": { textAlign: "left", paddingLeft: 0 },
  [theme.breakpoints.down("sm")]: { width: "100%", "& th, & td": { padding: "8px 4px" } },
}));

/** Double rule of a closing total. */
const Closed = styled("span")({
  display: "inline-block",
  padding: "1px 0",
  borderTop: "1px solid",
  borderBottom: "3px double",
  fontWeight: 700,
});

type NumberProps = {
  label: string;
  heads: readonly string[];
  rows: readonly (readonly string[])[];
  /** Names of rows that are part of the one above. */
  indented?: ReadonlySet<string>;
  /** Whether the last row proves the totals: its figures get a double rule. */
  isProof?: boolean;
};

/** A small table of figures, in its own scroll region on narrow screens; the first column names the row. */
export function NumberTable({ label, heads, rows, indented, isProof = false }: NumberProps) {
  return (
    <Wide role="region" aria-label={label} tabIndex={0}>
      <Figures aria-label={label} style={isProof ? { width: "100%" } : undefined}>
        <TableHeads heads={heads} />
        <tbody>
          {rows.map(([name = "", ...figures], place) => (
            <tr key={name}>
              <th scope="row" style={indented?.has(name) ? { paddingLeft: 20 } : undefined}>
                {isProof && place === rows.length - 1 ? <strong>{name}</strong> : name}
              </th>
              {figures.map((figure, index) => (
                <td key={heads[index + 1]}>
                  {isProof && place === rows.length - 1 ? <Closed>{figure}</Closed> : figure}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </Figures>
    </Wide>
  );
}

/** Row of column headers. */
function TableHeads({ heads }: { heads: readonly string[] }) {
  return (
    <thead>
      <tr>
        {heads.map((head) => (
          <th key={head} scope="col">
            {head}
          </th>
        ))}
      </tr>
    </thead>
  );
}
