import type { UndoAction } from "#features/invoices/contract.ts";
import type { SkippedInvoice, UndoRun, UndoStatus } from "#features/invoices/undo/contract.ts";
import { CurrencyNote } from "#features/invoices/web/tables/currency-note.tsx";
import { IntuitReference, InvoiceLink } from "#features/invoices/web/tables/invoice-link.tsx";
import { formatMoney, formatSum, sumAmounts } from "#features/invoices/web/tables/money.ts";
import { undoWords as words } from "#features/invoices/web/undo/words.ts";
import { uploadWords } from "#features/invoices/web/words.ts";
import { Choice } from "#web/kit/choice.tsx";
import { TextTable } from "#web/kit/tables.tsx";

type Props = {
  preview: NonNullable<UndoStatus["preview"]>;
  lastRun: UndoRun | null;
  action: UndoAction;
  onAction: (action: UndoAction) => void;
};

const ACTIONS: readonly UndoAction[] = ["void", "delete"];

/** Invoices that would be undone, those that stay with the reason, and the choice between void and delete. */
export function UndoPreview({ preview, lastRun, action, onAction }: Props) {
  const { to_undo: toUndo, first_to_undo: first, skipped_by_reason: byReason, left, currencies } = preview;
  const money = (amount: string) => formatSum(amount, currencies);
  // Invoices that were never posted are listed in the upload's own results.
  const inBooks = left.filter(({ reason }) => reason !== "not_posted");
  const skipped = byReason.filter(({ reason }) => reason !== "not_posted");
  const leftCount = skipped.reduce((sum, { invoices }) => sum + invoices, 0);
  const neverPosted = byReason.find(({ reason }) => reason === "not_posted")?.invoices ?? 0;
  return (
    <>
      {lastRun?.sentence ? <p>{words.before(lastRun.sentence)}</p> : null}
      <p>
        {toUndo.invoices > 0 ? words.undoes(action, toUndo.invoices, money(toUndo.amount)) : words.nothing}
        {neverPosted > 0 ? ` ${words.neverPosted(neverPosted)}` : null}
      </p>
      <ToUndo invoices={first} count={toUndo.invoices} />
      {leftCount > 0 ? (
        <>
          <p>{words.leaves(leftCount, money(sumAmounts(skipped)))}</p>
          <ul>
            {skipped.map(({ reason, invoices }) => (
              <li key={reason}>{words.reason(invoices, reason)}</li>
            ))}
          </ul>
        </>
      ) : null}
      <CurrencyNote currencies={currencies} />
      {toUndo.invoices > 0 ? (
        <fieldset style={{ marginBlock: 16 }}>
          <legend style={{ fontWeight: 700 }}>{words.how}</legend>
          {ACTIONS.map((choice) => (
            <Choice
              key={choice}
              type="radio"
              name="undo-action"
              checked={action === choice}
              onChange={() => onAction(choice)}
            >
              <strong>{words.actions[choice].label}</strong> <br />
              {words.actions[choice].hint}
            </Choice>
          ))}
        </fieldset>
      ) : null}
      <LeftTable title={words.keptTitle} invoices={inBooks} total={leftCount} />
    </>
  );
}

/** First invoices to be undone, and the number of the others. */
function ToUndo({ invoices, count }: { invoices: Props["preview"]["first_to_undo"]; count: number }) {
  if (count === 0) return null;
  return (
    <ul>
      {invoices.map((invoice) => (
        <li key={invoice.rows} style={{ overflowWrap: "anywhere" }}>
          <InvoiceLink invoice={invoice} /> {invoice.customer},{" "}
          {formatMoney(invoice.amount, invoice.currency)}
        </li>
      ))}
      {count > invoices.length ? <li>{uploadWords.results.moreRows(count - invoices.length)}</li> : null}
    </ul>
  );
}

type StayingProps = { title: string; invoices: readonly SkippedInvoice[]; total: number };

/** Invoices that an undo leaves, with the reasons. */
export function LeftTable({ title, invoices, total }: StayingProps) {
  if (invoices.length === 0) return null;
  return (
    <>
      {total > invoices.length ? <p>{words.listed(invoices.length)}</p> : null}
      <TextTable label={title} heads={words.heads}>
        {invoices.map((invoice) => (
          <tr key={invoice.rows}>
            <td data-head={words.heads[0]}>{invoice.rows}</td>
            <td style={{ whiteSpace: "nowrap" }}>
              <InvoiceLink invoice={invoice} />
            </td>
            <td style={{ overflowWrap: "anywhere", minWidth: "8rem" }}>{invoice.customer}</td>
            <td data-head={words.heads[3]}>{formatMoney(invoice.amount, invoice.currency)}</td>
            <td style={{ whiteSpace: "pre-line", minWidth: "14rem" }}>
              {invoice.sentence}
              <IntuitReference tids={invoice.intuit_tid} />
            </td>
          </tr>
        ))}
      </TextTable>
    </>
  );
}
