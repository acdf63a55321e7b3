import type { OrderInvoice } from "#features/order-invoices/contract.ts";
import { Closing } from "#features/order-invoices/web/closing.tsx";
import { money } from "#features/order-invoices/web/format.ts";
import { useAnswer } from "#features/order-invoices/web/use-answer.ts";
import { threadWords } from "#features/order-invoices/web/words.ts";
import { BusyButton } from "#web/kit/busy-button.tsx";
import { ErrorBlock } from "#web/kit/error-block.tsx";
import { FailedCall } from "#web/kit/failed-call.tsx";
import { formatDay } from "#web/kit/format.ts";
import { Notice } from "#web/kit/notice.tsx";
import { PlainLink } from "#web/kit/text-link.tsx";
import { visuallyHidden } from "#web/kit/visually-hidden.ts";
import { typeScale } from "#web/theme/type-scale.ts";
import Box from "@mui/material/Box";
import { styled } from "@mui/material/styles";
import { Fragment, useId } from "react";

const words = threadWords.order;

type Props = { realmId: string; orderId: string; invoice: OrderInvoice; title: string };
/** Content of a cell of the total that has no figure. */
const BLANK = "\u00a0";

/** As many as a quantity can have; a sum of floats has others too. */
const MAX_DECIMALS = 6;

type Line = OrderInvoice["lines"][number];

const Table = styled("table")(({ theme }) => {
  const { palette } = theme.vars ?? theme;
  return {
    width: "100%",
    borderCollapse: "collapse",
    ...typeScale.table,
    fontVariantNumeric: "tabular-nums",
    "& th, & td": {
      padding: "8px 10px",
      textAlign: "right",
      verticalAlign: "baseline",
      borderBottom: `1px solid ${palette.divider}`,
    },
    "& tbody th, & .note": { textAlign: "left", paddingLeft: 0, minWidth: 120 },
    "& tbody th": { fontWeight: 400 },
    "& thead th": { ...typeScale.caption, fontWeight: 700, color: palette.text.caption },
    "& thead tr:last-of-type th": { borderBottomColor: palette.line.strong },
    "& thead tr:first-of-type th:not(.item)": { textAlign: "left", borderBottom: 0, paddingBottom: 0 },
    "& tr > :last-child:not(.item)": { paddingRight: 0 },
    "& thead .item": { textAlign: "left", verticalAlign: "bottom", paddingLeft: 0 },
    "& .part": { borderLeft: `1px solid ${palette.divider}` },
    "& .differs": { color: palette.status.red.ink, fontWeight: 700 },
    "& .note": { ...typeScale.caption, color: palette.text.caption },
    "& small": { display: "block", ...typeScale.caption, color: palette.text.caption },
    "& .closed": {
      display: "inline-block",
      borderTop: "1px solid",
      borderBottom: "3px double",
      fontWeight: 700,
    },
    // Below each other: what was ordered, shipped and billed of a line.
    [theme.breakpoints.down("sm")]: {
      "&, & tbody": { display: "block" },
      "& thead": visuallyHidden,
      "& tbody tr": { display: "grid", gridTemplateColumns: "minmax(0, 1fr) 5rem 6rem" },
      "& tbody tr:has(> th)": { borderTop: `1px solid ${palette.divider}`, paddingTop: 8 },
      "& tbody :is(th, td)": { padding: "2px 0 4px", border: 0 },
      "& tbody th, & .note": { gridColumn: "1 / -1" },
      "& .part": { gridColumn: 1, display: "flex", justifyContent: "space-between", borderLeft: 0 },
      "& .part::before": { content: "attr(data-head)", fontWeight: 400, color: palette.text.secondary },
      "& .part[colspan]": { gridColumn: "1 / -1" },
      "& .blank": { display: "none" },
    },
  };
});

/** Line by line what was ordered, shipped and billed, with what the invoice waits for and its button. */
export function InvoiceOfOrder({ realmId, orderId, invoice, title }: Props) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <ErrorBlock title={null} role="group" message={invoice.problem} />
      {invoice.asks_handled ? <HandledButton realmId={realmId} invoice={invoice} /> : null}
      <BooksQuestion realmId={realmId} invoice={invoice} />
      <Box role="region" aria-label={words.lines(title)} tabIndex={0} sx={{ overflowX: "auto" }}>
        <LineTable realmId={realmId} invoice={invoice} title={title} />
      </Box>
      <Closing realmId={realmId} orderId={orderId} invoice={invoice} />
    </section>
  );
}

/** Ends the mark of the order in the list; the problem stays here while the books differ. */
function HandledButton({ realmId, invoice }: { realmId: string; invoice: OrderInvoice }) {
  const { mutate, isPending, error } = useAnswer(realmId, invoice);
  return (
    <Box sx={{ mb: 2 }}>
      <BusyButton
        label={words.handled}
        detail={words.handledDetail(invoice.number ?? "")}
        isBusy={isPending}
        onClick={() => mutate({ answer: "handled" })}
      />
      <FailedCall error={error} />
    </Box>
  );
}

function LineTable({ realmId, invoice, title }: Omit<Props, "orderId">) {
  const { lines, state, total } = invoice;
  const { heads } = words;
  const billed = state === "posted" || state === "linked" ? groups.billed : groups.toBill;
  const sum = (key: "ordered" | "shipped" | "billed") =>
    String(Number(lines.reduce((all, line) => all + Number(line[key]), 0).toFixed(MAX_DECIMALS)));
  return (
    <Table aria-label={title}>
      <thead>
        <tr>
          <th scope="col" rowSpan={2} className="item">
            {heads.item}
          </th>
          <th scope="colgroup" colSpan={3} className="part">
            {groups.ordered}
          </th>
          <th scope="colgroup" className="part">
            {groups.shipped}
          </th>
          <th scope="colgroup" colSpan={3} className="part">
            {billed}
          </th>
        </tr>
        <tr>
          <th scope="col" className="part">
            {heads.quantity}
          </th>
          <th scope="col">{heads.price}</th>
          <th scope="col">{heads.amount}</th>
          <th scope="col" className="part">
            {heads.quantity}
          </th>
          <th scope="col" className="part">
            {heads.quantity}
          </th>
          <th scope="col">{heads.price}</th>
          <th scope="col">{heads.amount}</th>
        </tr>
      </thead>
      <tbody>
        {lines.map((line) => (
          <Fragment key={line.line}>
            <LineRow line={line} billed={billed} />
            <LineNote realmId={realmId} invoice={invoice} line={line} />
          </Fragment>
        ))}
        <ExtraRow name="freight" invoice={invoice} billed={billed} />
        <ExtraRow name="allowance" invoice={invoice} billed={billed} />
        <tr>
          <th scope="row">
            <b>{words.total}</b>
          </th>
          <td className="part" data-head={groups.ordered}>
            {sum("ordered")}
          </td>
          <td>{BLANK}</td>
          <td>{money(invoice.ordered_total)}</td>
          <td className="part" data-head={groups.shipped}>
            {sum("shipped")}
          </td>
          <td className="part" data-head={billed}>
            {sum("billed")}
          </td>
          <td>{BLANK}</td>
          <td>
            <span className="closed">{money(total)}</span>
          </td>
        </tr>
      </tbody>
    </Table>
  );
}

const { groups } = words;

/** @param billed heading of what is billed, or to bill */
function LineRow({ line, billed }: { line: Line; billed: string }) {
  const differs = (is: boolean) => (is ? "differs" : "");
  return (
    <tr>
      <th scope="row">
        <b>{line.sku}</b>
        <small>{line.item ?? line.description}</small>
      </th>
      <td className="part" data-head={groups.ordered}>
        {line.ordered}
      </td>
      <td>{money(line.price)}</td>
      <td>{money(line.ordered_amount)}</td>
      <td className={`part ${differs(line.shipped !== line.ordered)}`} data-head={groups.shipped}>
        {line.shipped}
      </td>
      <td className={`part ${differs(line.billed !== line.ordered)}`} data-head={billed}>
        {line.billed}
      </td>
      <td>{money(line.price)}</td>
      <td className={differs(line.billed_amount !== line.ordered_amount)}>{money(line.billed_amount)}</td>
    </tr>
  );
}

/** Look of a line's question: a band that ends in its button. */
const ASKING = {
  display: "flex",
  flexWrap: "wrap",
  alignItems: "center",
  justifyContent: "space-between",
  gap: 1.5,
  p: 1,
  pl: 1.5,
  borderLeft: 3,
  borderColor: "status.red.rule",
  bgcolor: "status.red.tint",
  color: "text.primary",
  typography: "body2",
} as const;

/** Why a line is billed other than ordered, or what it asks. */
function LineNote({ realmId, invoice, line }: { realmId: string; invoice: OrderInvoice; line: Line }) {
  const { mutate, isPending, error } = useAnswer(realmId, invoice);
  const asks = line.asks_price && invoice.state === "draft";
  const price = line.item_price === null ? null : words.price(money(line.item_price), money(line.price));
  const part = line.shipped === line.ordered ? null : words.part(line.shipped, line.ordered);
  if (price === null && part === null) return null;
  return (
    <tr>
      <td colSpan={8} className="note">
        {/* On a phone the columns scroll below it, and its button stays in sight. */}
        <Box sx={{ position: "sticky", left: 0, maxWidth: "calc(100vw - 32px)", ...(asks ? ASKING : {}) }}>
          <span>
            {part}
            {part !== null && price !== null ? <br /> : null}
            {price}
          </span>
          {asks ? (
            <BusyButton
              size="small"
              label={words.bill(money(line.price))}
              detail={words.forLine(line.sku)}
              isBusy={isPending}
              onClick={() => mutate({ answer: "order_price", line: line.line })}
            />
          ) : null}
          <FailedCall error={error} />
        </Box>
      </td>
    </tr>
  );
}

type ExtraProps = { name: "freight" | "allowance"; invoice: OrderInvoice; billed: string };

function ExtraRow({ name, invoice, billed }: ExtraProps) {
  const ordered = invoice[`ordered_${name}`];
  if (Number(ordered) === 0 && Number(invoice[name]) === 0) return null;
  return (
    <tr>
      <th scope="row">
        <b>{words[name]}</b>
      </th>
      <td colSpan={3} className="part" data-head={groups.ordered}>
        {money(ordered)}
      </td>
      <td className="part blank">{BLANK}</td>
      <td colSpan={3} className="part" data-head={billed}>
        {money(invoice[name])}
      </td>
    </tr>
  );
}

/** An invoice in the books with the same PO number or tracking number is never doubled without an answer. */
function BooksQuestion({ realmId, invoice }: { realmId: string; invoice: OrderInvoice }) {
  const { mutate, isPending, error } = useAnswer(realmId, invoice);
  const { theirs, state, tracking_numbers: packages } = invoice;
  if (!theirs || state !== "draft") return null;
  const named = words.theirs(theirs.number, formatDay(theirs.date), money(theirs.total));
  const question = `${named} ${words.evidence(theirs.has_tracking_number, packages)}`;
  return (
    <Notice tone="amber" role="group" label={question} title={question}>
      <p>
        <PlainLink href={theirs.link} target="_blank" rel="noopener noreferrer">
          {words.openTheirs}
        </PlainLink>
      </p>
      <Box sx={{ display: "flex", flexWrap: "wrap", gap: 1.5, mt: 1 }}>
        <BusyButton label={words.link} isBusy={isPending} onClick={() => mutate({ answer: "link" })} />
        <BusyButton label={words.other} isBusy={isPending} onClick={() => mutate({ answer: "other" })} />
      </Box>
      <FailedCall error={error} />
    </Notice>
  );
}
