import { describeStatus, isProblem, type ResultGroup } from "#features/invoices/web/results/rules.ts";
import { IntuitReference, InvoiceLink } from "#features/invoices/web/tables/invoice-link.tsx";
import { uploadWords } from "#features/invoices/web/words.ts";
import { counted } from "#web/kit/format.ts";
import { Icon, toneIcons } from "#web/kit/icon.tsx";
import type { Tone } from "#web/theme/colors.ts";
import { tonedRow } from "#web/theme/tone.ts";
import { typeScale } from "#web/theme/type-scale.ts";
import { styled } from "@mui/material/styles";
import { Fragment, memo } from "react";

const words = uploadWords.results;

/** Ranges of rows that fit on one line. */
const MAX_RANGES = 5;

/** Grid of the rows and their column headers. */
export const RESULT_COLUMNS = "6rem 12.25rem minmax(0, 1fr)";

const Row = styled("div", { shouldForwardProp: (name) => name !== "tone" })<{ tone: Tone }>(
  ({ theme, tone }) => ({
    display: "grid",
    gridTemplateColumns: RESULT_COLUMNS,
    alignItems: "baseline",
    columnGap: 12,
    rowGap: 2,
    padding: "7px 12px",
    ...typeScale.table,
    ...tonedRow(theme, tone),
    [theme.breakpoints.down("sm")]: {
      gridTemplateColumns: "fit-content(50%) minmax(0, 1fr)",
      "& > :last-child": { gridColumn: "1 / -1" },
    },
  }),
);

const Caption = styled("span")(({ theme }) => ({
  whiteSpace: "nowrap",
  color: (theme.vars ?? theme).palette.text.secondary,
}));

const Status = styled("span", { shouldForwardProp: (name) => name !== "tone" })<{ tone: Tone }>(
  ({ theme, tone }) => ({
    fontWeight: 700,
    "& > svg": { marginRight: 6 },
    color: theme.vars?.palette.status[tone].ink,
    "@media print": { color: "#000" },
  }),
);

/** Rows of an entry, its status as word, mark and color, and the message as plain text. */
export const ResultRow = memo(function ResultRow({
  entry,
  rowIndex,
}: {
  entry: ResultGroup;
  rowIndex: number;
}) {
  const { rows, status, message, intuit_tids: tids, posted = [], invoices } = entry;
  const { word, tone } = describeStatus(status);
  const text = {
    overflowWrap: "anywhere",
    whiteSpace: message.includes("\n") ? "pre-wrap" : "normal",
  } as const;
  return (
    <Row role="row" aria-rowindex={rowIndex} tone={tone} data-tone={tone}>
      <span role="cell">
        {rows.slice(0, MAX_RANGES).join(", ")}
        {rows.length > MAX_RANGES ? ` ${words.moreRows(rows.length - MAX_RANGES)}` : ""}
      </span>
      <Status role="cell" tone={tone}>
        <Icon of={toneIcons[tone]} size="small" />
        {word}
      </Status>
      <span role="cell" style={text}>
        <span>{message}</span>
        {isProblem(status) && invoices !== undefined ? (
          <Caption> {counted(invoices, "invoice")}</Caption>
        ) : null}
        {posted.map(({ number, link }, at) => (
          <Fragment key={link}>
            {words.before(at, { invoices, shown: posted.length })}
            <InvoiceLink invoice={{ doc_number: null, qbo_doc_number: number, link }} />
          </Fragment>
        ))}
        <IntuitReference tids={tids?.join(", ")} />
      </span>
    </Row>
  );
});
