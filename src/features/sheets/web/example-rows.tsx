import type { ExampleRow } from "#features/sheets/contract.ts";
import { columnsWords as words } from "#features/sheets/web/words-columns.ts";
import { Disclosure } from "#web/kit/disclosure.tsx";
import { styled } from "@mui/material/styles";

const Rows = styled("ul")(({ theme }) => ({
  margin: 0,
  padding: "0 0 4px",
  listStyle: "none",
  fontSize: "0.8125rem",
  lineHeight: 1.6,
  fontVariantNumeric: "tabular-nums",
  overflowWrap: "anywhere",
  color: (theme.vars ?? theme).palette.text.secondary,
}));

type Props = {
  rows: readonly ExampleRow[];
  /** Number of all rows that the question is about; undefined if it isn't known. */
  count?: number;
};

/** The rows that a question speaks of, as the file has them. */
export function ExampleRows({ rows, count = rows.length }: Props) {
  if (rows.length === 0) return null;
  return (
    <Disclosure title={words.showRows} variant="text" my={0}>
      <Rows>
        {rows.map(({ row, texts }) => (
          <li key={row}>{words.exampleRow(row, texts)}</li>
        ))}
        {count > rows.length ? <li>{words.moreRows(count - rows.length)}</li> : null}
      </Rows>
    </Disclosure>
  );
}
