import type { Receipt } from "#features/invoices/receipt/contract.ts";
import { needFixing } from "#features/invoices/web/receipt/rules.ts";
import { matchesExcept, receiptWords as words } from "#features/invoices/web/receipt/words.ts";
import { CurrencyNote } from "#features/invoices/web/tables/currency-note.tsx";
import { InvoiceLink } from "#features/invoices/web/tables/invoice-link.tsx";
import { formatSum } from "#features/invoices/web/tables/money.ts";
import { SectionHead } from "#web/kit/card.tsx";
import { formatCount } from "#web/kit/format.ts";
import { Notice } from "#web/kit/notice.tsx";
import { NumberTable, TextTable } from "#web/kit/tables.tsx";
import Box from "@mui/material/Box";

/** Outcomes of invoices that were read but not posted. */
const NOT_POSTED = [
  "omitted",
  "open",
  "unanswered",
  "fix",
  "skipped",
  "unresolved",
  "stopped",
  "undone",
] as const;

/** File, user and time of the upload, the control totals, and values that QuickBooks stored differently. */
export function ReceiptTotals({ receipt }: { receipt: Receipt }) {
  const { read, posted, books, currencies, difference, tax_in_file: tax } = receipt;
  const shares = { ...receipt, fix: needFixing(receipt) };
  const notPosted = NOT_POSTED.filter((outcome) => shares[outcome].invoices > 0);
  const money = (amount: string) => formatSum(amount, currencies);
  const row = (name: string, { invoices, amount }: { invoices: number; amount: string }) => [
    name,
    formatCount(invoices),
    money(amount),
  ];
  return (
    <>
      <SectionHead title={words.receipt} note={words.facts(receipt)} />
      <Verdict receipt={receipt} />
      <NumberTable
        label={words.totals}
        heads={words.heads}
        isProof
        indented={new Set(notPosted.map((outcome) => words.notPosted[outcome]))}
        rows={[
          row(words.outcomes.read, read),
          ...notPosted.map((outcome) => row(words.notPosted[outcome], shares[outcome])),
          row(words.sent, posted),
          row(words.found, books),
          row(words.difference, { invoices: posted.invoices - books.invoices, amount: difference }),
        ]}
      />
      <Box sx={{ typography: "body2", color: "text.secondary", "& > *": { my: 1 } }}>
        {Number(books.tax) === 0 ? null : <p>{words.tax(money(books.tax), money(books.total))}</p>}
        {tax === null ? null : <p>{words.taxInFile(money(tax.amount), money(tax.computed))}</p>}
        <CurrencyNote currencies={currencies} />
        {receipt.unreadable_amounts > 0 ? <p>{words.unreadable(receipt.unreadable_amounts)}</p> : null}
        {words.ignored(receipt).map((text) => (
          <p key={text}>{text}</p>
        ))}
        <FileTotals receipt={receipt} />
        <Corrections receipt={receipt} />
      </Box>
      <Flags flags={receipt.flags} count={receipt.flag_count} />
    </>
  );
}

/** Totals that the file has of its own rows. */
function FileTotals({ receipt }: { receipt: Receipt }) {
  const text = words.fileTotals(receipt);
  return text === null ? null : <p>{text}</p>;
}

/** Changes made in the review, which the stored file does not have. */
function Corrections({ receipt: { corrections, left_out } }: { receipt: Receipt }) {
  return (
    <>
      {corrections.length > 0 ? (
        <div>
          <strong>{words.corrections(corrections.length)}</strong>
          <ul style={{ margin: 0 }}>
            {corrections.map(({ row, field, header, was, value }) => (
              <li key={`${row} ${field}`}>{words.correction(header, { was, value })}</li>
            ))}
          </ul>
        </div>
      ) : null}
      {left_out.length > 0 ? <p>{words.leftOut(left_out)}</p> : null}
    </>
  );
}

/** Notice when the totals are not final or do not match; the heading says when they match. */
function Verdict({ receipt }: { receipt: Receipt }) {
  if (receipt.open.invoices > 0 || receipt.finished_at === null)
    return <Notice tone="blue">{words.notYet}</Notice>;
  if (receipt.agrees || matchesExcept(receipt)) return null;
  if (receipt.missing_rows !== 0) return <Notice tone="red">{words.missing(receipt.missing_rows)}</Notice>;
  return <Notice tone="red">{words.differs(formatSum(receipt.difference, receipt.currencies))}</Notice>;
}

function Flags({ flags, count }: { flags: Receipt["flags"]; count: number }) {
  if (count === 0) return null;
  return (
    <>
      <SectionHead title={words.flags(count)} note={words.flagsHint} />
      <TextTable label={words.flags(count)} heads={words.flagHeads}>
        {flags.flatMap((flag) =>
          flag.differences.map(({ field, line, sent, answered }) => (
            <tr key={`${flag.rows} ${field} ${line}`}>
              <td style={{ fontWeight: 700 }}>
                <InvoiceLink invoice={flag} />
              </td>
              <td style={{ overflowWrap: "anywhere" }}>{flag.customer}</td>
              <td data-head={words.flagHeads[2]}>{line === null ? words.allLines : formatCount(line)}</td>
              <td data-head={words.flagHeads[3]}>{words.fields[field]}</td>
              <td data-head={words.flagHeads[4]}>{sent}</td>
              <td data-head={words.flagHeads[5]}>{answered || words.notKept}</td>
            </tr>
          )),
        )}
      </TextTable>
    </>
  );
}
