import { TableHeads } from "#features/invoices/web/tables/table-heads.tsx";
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
    padding: "6px 12px 6px 0",
    textAlign: "left",
    verticalAlign: "baseline",
    borderBottom: "1px solid",
    borderBottomColor: (theme.vars ?? theme).palette.divider,
  },
}));

type Props = {
  label: string;
  heads: readonly string[];
  /** Where only some of the rows are drawn: how many there are, the head left out. */
  rowCount?: number;
  scroll?: Ref<HTMLDivElement>;
  children: ReactNode;
};

/** A table of texts in a region that scrolls by itself and can be reached by keyboard. */
export function TextTable({ label, heads, rowCount, scroll, children }: Props) {
  const counted = rowCount === undefined ? {} : { "aria-rowcount": rowCount + 1 };
  return (
    <Scroll ref={scroll} role="region" aria-label={label} tabIndex={0}>
      <Table aria-label={label} {...counted}>
        <TableHeads heads={heads} />
        <tbody>{children}</tbody>
      </Table>
    </Scroll>
  );
}
