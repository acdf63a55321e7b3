import type { Receipt } from "#features/invoices/receipt/contract.ts";
import { CurrencyNote } from "#features/invoices/web/tables/currency-note.tsx";
import { currencyOfSum, formatMoney } from "#features/invoices/web/tables/money.ts";
import { NumberTable } from "#web/kit/tables/number-table.tsx";
import { InvoiceLink } from "#features/invoices/web/tables/invoice-link.tsx";
import { receiptWords as words } from "#features/invoices/web/receipt/words.ts";
import { TextTable } from "#web/kit/tables/text-table.tsx";
import { formatCount, formatDateTime, timeZone } from "#web/kit/format.ts";
import { Notice } from "#web/kit/notice.tsx";
import Box from "@mui/material/Box";

const ALWAYS = ["read", "posted", "rejected", "skipped"] as const;
const WHEN_ANY = ["unresolved", "stopped", "open", "undone"] as const;

/** How far the posting is. */
function Posting({ receipt: { read, open } }: { receipt: Receipt }) {
  if (open.invoices === 0) return null;
  const done = read.invoices - open.invoices;
  const label = words.posting(done, read.invoices);
  return (
    <Box sx={{ my: 2 }} data-print="never">
      <p>{label}</p>
      <progress
        max={read.invoices}
        value={done}
        aria-label={label}
        style={{ width: "100%", accentColor: "var(--mui-palette-secondary-main)" }}
      />
    </Box>
  );
}

/** What was corrected in the review: the stored file has other values there. */
function Corrections({ receipt: { corrections } }: { receipt: Receipt }) {
  if (corrections.length === 0) return null;
  return (
    <>
      <h3>{words.corrections}</h3>
      <ul>
        {corrections.map(({ row, field, header, was, value }) => (
          <li key={`${row} ${field}`}>{words.correction(row, header, { was, value })}</li>
        ))}
      </ul>
    </>
  );
}

/** Who uploaded what and when, the control totals, and what QuickBooks stored otherwise than sent. */
export function ReceiptTotals({ receipt }: { receipt: Receipt }) {
  const outcomes = [...ALWAYS, ...WHEN_ANY.filter((outcome) => receipt[outcome].invoices > 0)];
  const { books, currencies } = receipt;
  const money = (amount: string) => formatMoney(amount, currencyOfSum(currencies));
  return (
    <>
      <Facts receipt={receipt} />
      <Posting receipt={receipt} />
      <Corrections receipt={receipt} />
      <Verdict receipt={receipt} />
      <h3>{words.totals}</h3>
      <Box
        sx={{
          display: "flex",
          flexWrap: "wrap",
          columnGap: 8,
          mt: -2,
          "& > *": { width: { xs: "100%", sm: "auto" } },
        }}
      >
        <NumberTable
          label={words.totals}
          heads={words.heads}
          rows={outcomes.map((outcome) => [
            words.outcomes[outcome],
            formatCount(receipt[outcome].invoices),
            money(receipt[outcome].amount),
          ])}
        />
        <NumberTable
          label={words.books}
          heads={words.booksHeads}
          rows={[
            [words.booksRows.invoices, formatCount(books.invoices)],
            [words.booksRows.amount, money(books.amount)],
            [words.booksRows.tax, money(books.tax)],
            [words.booksRows.total, money(books.total)],
          ]}
        />
      </Box>
      <CurrencyNote currencies={currencies} />
      {receipt.unreadable_amounts > 0 ? <p>{words.unreadable(receipt.unreadable_amounts)}</p> : null}
      <Flags flags={receipt.flags} count={receipt.flag_count} />
    </>
  );
}

function Facts({ receipt }: { receipt: Receipt }) {
  const { finished_at: finishedAt, duration_seconds: seconds } = receipt;
  const took = !seconds ? "" : ` (${words.took(seconds)})`;
  const facts = [
    [words.company, receipt.company],
    [words.uploadedBy, receipt.uploaded_by],
    [words.uploadedAt, `${formatDateTime(receipt.uploaded_at)}, ${timeZone()}`],
    [words.finishedAt, finishedAt ? `${formatDateTime(finishedAt)}${took}` : words.notFinished],
  ];
  return (
    <dl style={{ display: "grid", gridTemplateColumns: "max-content minmax(0, 1fr)", gap: "4px 16px" }}>
      {facts.map(([name, value]) => (
        <div key={name} style={{ display: "contents" }}>
          <dt>{name}</dt>
          <dd style={{ margin: 0, overflowWrap: "anywhere" }}>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function Verdict({ receipt }: { receipt: Receipt }) {
  if (receipt.open.invoices > 0 || receipt.finished_at === null)
    return <Notice tone="blue">{words.notYet}</Notice>;
  if (receipt.agrees) return <Notice tone="green">{words.agrees}</Notice>;
  if (receipt.missing_rows !== 0) return <Notice tone="red">{words.missing(receipt.missing_rows)}</Notice>;
  return (
    <Notice tone="red">
      {words.differs(formatMoney(receipt.difference, currencyOfSum(receipt.currencies)))}
    </Notice>
  );
}

function Flags({ flags, count }: { flags: Receipt["flags"]; count: number }) {
  if (count === 0) return null;
  return (
    <>
      <h3>{words.flags(count)}</h3>
      <p>{words.flagsHint}</p>
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
