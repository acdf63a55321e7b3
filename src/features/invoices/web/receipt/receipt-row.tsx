import type { ReceiptInvoice } from "#features/invoices/receipt/contract.ts";
import { AnswerButtons, type ReceiptUpload } from "#features/invoices/web/receipt/answer-buttons.tsx";
import { invoiceWords as words } from "#features/invoices/web/receipt/invoice-words.ts";
import { DueDate } from "#features/invoices/web/tables/due-date.tsx";
import { IntuitReference, InvoiceLink } from "#features/invoices/web/tables/invoice-link.tsx";
import { formatMoney } from "#features/invoices/web/tables/money.ts";
import { Chip } from "#web/kit/chip.tsx";
import { formatCount, formatDay } from "#web/kit/format.ts";
import { styled } from "@mui/material/styles";
import { memo, type Ref } from "react";

/**
 * Styles of the columns, set once around the table: on each cell of a long receipt they would double the
 * rendering time. In print, columns have fixed widths, so that the browser need not measure every cell.
 */
export const ReceiptColumns = styled("div")(({ theme }) => ({
  "&[data-short] [role=region]": { maxHeight: "none" },
  marginTop: 48,
  "& th, & td:not(:nth-of-type(3), :nth-of-type(9))": { whiteSpace: "nowrap" },
  // Aligns amounts.
  "& :is(th, td):is(:nth-of-type(6), :nth-of-type(7), :nth-of-type(8))": {
    paddingRight: "24px",
    textAlign: "right",
    fontVariantNumeric: "tabular-nums",
  },
  // Marks unknown values visually; screen readers skip the mark.
  "& td:empty::after": { content: ['"—"', '"—" / ""'], color: (theme.vars ?? theme).palette.text.caption },
  "& :is(th, td):nth-of-type(9)": { paddingLeft: "8px" },
  "& td:nth-of-type(3)": { overflowWrap: "anywhere", minWidth: "8rem" },
  "& td:nth-of-type(9)": { whiteSpace: "pre-line", overflowWrap: "anywhere", minWidth: "16rem" },
  // Print and narrow screens have no space for the due date and the number of lines.
  "@media print, (max-width: 1199.95px)": {
    "& :is(th, td):is(:nth-of-type(5), :nth-of-type(6))": { display: "none" },
  },
  "&[data-complete]": {
    "& table": { tableLayout: "fixed" },
    "& th, & td": { whiteSpace: "normal", overflowWrap: "anywhere" },
    "& td:nth-of-type(9)": { whiteSpace: "pre-line" },
    "& th:nth-of-type(1)": { width: "10%" },
    "& th:nth-of-type(9)": { width: "32%" },
  },
  // Stacks the cells: amounts on the right, the outcome across the full width.
  [theme.breakpoints.down("sm")]: {
    "&:not([data-windowed]) [role=region]": { maxHeight: "none" },
    "& tbody tr:not([aria-hidden])": {
      gridTemplate:
        '"number rows file" "customer customer books" "date date date" "state state state" / minmax(0, max-content) minmax(min-content, 1fr) auto',
      columnGap: "12px",
      alignItems: "baseline",
    },
    "& tbody td": { "&[data-head]": { columnGap: "8px", justifyContent: "flex-end", fontSize: "0.875rem" } },
    "& tbody td:nth-of-type(1)": { gridArea: "rows", justifyContent: "flex-start" },
    "& tbody td:nth-of-type(2)": {
      gridArea: "number",
      fontWeight: 700,
      whiteSpace: "normal",
      overflowWrap: "anywhere",
    },
    "& td:nth-of-type(3)": { gridArea: "customer" },
    "& tbody td:is(:nth-of-type(7), :nth-of-type(8))": { paddingRight: 0 },
    "& tbody td:nth-of-type(4)": { gridArea: "date", justifyContent: "flex-start" },
    "& td:nth-of-type(7)": { gridArea: "file" },
    "& td:nth-of-type(8)": { gridArea: "books" },
    "& td:nth-of-type(9)": { gridArea: "state", minWidth: 0, paddingLeft: 0 },
  },
}));

const heads = words.invoiceHeads;

type Props = {
  invoice: ReceiptInvoice;
  upload: ReceiptUpload;
  /** Index among all rows, if only some are rendered. */
  index?: number;
  measure?: Ref<HTMLTableRowElement>;
};

const TONES = {
  posted: "ok",
  rejected: "red",
  unanswered: "amber",
  skipped: "gray",
  unresolved: "amber",
  stopped: "red",
  open: "amber",
  undone: "gray",
} as const;

/** One invoice of a receipt, memoized, so that only new rows render. */
export const ReceiptRow = memo(function ReceiptRow({ invoice, upload, index, measure }: Props) {
  const state = invoice.is_unanswered ? "unanswered" : invoice.state;
  const place = index === undefined ? {} : { "data-index": index, "aria-rowindex": index + 2 };
  return (
    <tr ref={measure} {...place}>
      <td data-head={heads[0]}>{invoice.rows}</td>
      <td>
        <InvoiceLink invoice={invoice} />
      </td>
      <td>{invoice.customer}</td>
      <td data-head={heads[3]}>{formatDay(invoice.date)}</td>
      <td>
        <DueDate {...invoice} />
      </td>
      <td>{formatCount(invoice.lines)}</td>
      <td data-head={heads[6]}>{formatMoney(invoice.amount, invoice.currency)}</td>
      <td data-head={heads[7]}>{formatMoney(invoice.qbo_total, invoice.currency)}</td>
      <td>
        <Chip tone={TONES[state]}>{words.states[state]}</Chip>
        {invoice.sentence ? `\n${invoice.sentence}` : ""}
        {invoice.seq === undefined ? null : (
          <AnswerButtons upload={upload} seq={invoice.seq} rows={invoice.rows} />
        )}
        <IntuitReference tids={invoice.intuit_tid} />
      </td>
    </tr>
  );
});

/** Key of an invoice of a receipt. */
export const invoiceKey = ({ rows, doc_number: number }: ReceiptInvoice): string => `${rows} ${number}`;
