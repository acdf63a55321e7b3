import type {
  ComparedInvoice,
  ReviewInvoice,
  ReviewLine,
  UploadCheck,
} from "#features/invoices/check/contract.ts";
import { reviewInvoiceQuery } from "#features/invoices/web/review/queries.ts";
import { invoiceWords as words } from "#features/invoices/web/review/words.ts";
import { formatMoney } from "#features/invoices/web/tables/money.ts";
import { formatDay } from "#web/kit/format.ts";
import { FailedCall } from "#web/kit/failed-call.tsx";
import { Loading } from "#web/kit/spinner.tsx";
import Box from "@mui/material/Box";
import { styled } from "@mui/material/styles";
import { useQuery } from "@tanstack/react-query";

const Lines = styled("table")(({ theme }) => {
  const { palette } = theme.vars ?? theme;
  return {
    width: "calc(100% - 32px)",
    margin: "0 0 8px 32px",
    borderCollapse: "collapse",
    "& caption": { padding: "8px 0", textAlign: "left", fontWeight: 700 },
    "& th, & td": {
      padding: "8px 24px 8px 0",
      textAlign: "left",
      verticalAlign: "baseline",
      borderBottom: `1px solid ${palette.divider}`,
    },
    "& th": { paddingBottom: 4, fontSize: "0.8125rem", color: palette.text.caption },
    "& :is(th, td).number": { textAlign: "right" },
    "& :is(th, td):last-child": { paddingRight: 0, color: palette.text.caption },
    [theme.breakpoints.down("sm")]: {
      width: "100%",
      marginLeft: 0,
      "& th, & td": { paddingRight: 8 },
    },
  };
});

type Props = { realmId: string; check: UploadCheck; invoice: ReviewInvoice };

/** Lines of an invoice as they would be sent to QuickBooks, beside those that were posted if they differ, and its problems. */
export function OpenedInvoice({ realmId, check, invoice }: Props) {
  const { data, error, isPending, refetch } = useQuery(reviewInvoiceQuery(realmId, check, invoice.seq));
  const { currency, posted: before } = invoice;
  const posted = before?.differs ? data?.posted : null;
  return (
    <>
      <FailedCall error={error} onRetry={() => void refetch()} />
      <Loading isBusy={isPending} label={words.loading}>
        {before && posted ? (
          <LineTable
            title={words.asPosted(formatDay(before.day), describe(posted, currency))}
            lines={posted.lines}
            currency={currency}
          />
        ) : null}
        {data && data.lines.length > 0 ? (
          <LineTable
            title={posted ? words.asInFile(describe(invoice, currency)) : null}
            lines={data.lines}
            currency={currency}
          />
        ) : null}
        {data && data.lines.length === 0 ? <p style={{ marginLeft: 32 }}>{words.noLines}</p> : null}
        {data && data.problems.length > 0 ? (
          <ul style={{ margin: "0 0 12px 12px" }}>
            {data.problems.map(({ row, place, field, text }) => (
              <li key={`${row} ${field} ${text}`}>
                {words.row(place)}: {text}
              </li>
            ))}
          </ul>
        ) : null}
      </Loading>
    </>
  );
}

/** Customer, date and amount, for the title of the lines. */
const describe = (
  { customer, date, amount }: Pick<ComparedInvoice, "customer" | "amount"> & { date: string | null },
  currency: string | null,
): string => [customer, formatDay(date), formatMoney(amount, currency)].filter(Boolean).join(", ");

/** Formats a rate with cents, and further decimals if the file has them. */
const rates = new Intl.NumberFormat(undefined, { minimumFractionDigits: 2, maximumFractionDigits: 7 });

/** A quantity or a rate; one that the sheet leaves blank shows its source. */
function Figure({ line, field }: { line: ReviewLine; field: "qty" | "rate" }) {
  const filled = line.filled.find((each) => each.field === field);
  return (
    <td className="number">
      {field === "qty" ? line.qty : line.rate !== null && rates.format(line.rate)}
      {filled ? (
        <Box component="span" sx={{ display: "block", typography: "caption", color: "text.caption" }}>
          {words.filled[filled.from]}
        </Box>
      ) : null}
    </td>
  );
}

type LinesProps = { title: string | null; lines: readonly ReviewLine[]; currency: string | null };

function LineTable({ title, lines, currency }: LinesProps) {
  const { item, description, qty, rate, amount, row } = words.line;
  return (
    <Lines>
      {title ? <caption>{title}</caption> : null}
      <thead>
        <tr>
          <th scope="col">{item}</th>
          <th scope="col">{description}</th>
          <th scope="col" className="number">
            {qty}
          </th>
          <th scope="col" className="number">
            {rate}
          </th>
          <th scope="col" className="number">
            {amount}
          </th>
          <th scope="col" className="number">
            {row}
          </th>
        </tr>
      </thead>
      <tbody>
        {lines.map((line) => (
          <tr key={line.row}>
            <td>{line.item}</td>
            <td>{line.description}</td>
            <Figure line={line} field="qty" />
            <Figure line={line} field="rate" />
            <td className="number">
              {formatMoney(line.amount === null ? null : String(line.amount), currency)}
            </td>
            <td className="number">{line.place}</td>
          </tr>
        ))}
      </tbody>
    </Lines>
  );
}
