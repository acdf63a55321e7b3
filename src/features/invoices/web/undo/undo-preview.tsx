import type { UndoAction } from "#features/invoices/contract.ts";
import type { UndoRun, UndoStatus } from "#features/invoices/undo/contract.ts";
import { CurrencyNote } from "#features/invoices/web/tables/currency-note.tsx";
import { currencyOfSum, formatMoney, sumOf } from "#features/invoices/web/tables/money.ts";
import { InvoiceLink } from "#features/invoices/web/tables/invoice-link.tsx";
import { StayingTable } from "#features/invoices/web/undo/staying-table.tsx";
import { undoWords as words } from "#features/invoices/web/undo/words.ts";
import { uploadWords } from "#features/invoices/web/words.ts";
import { Choice } from "#web/kit/choice.tsx";

type Props = {
  preview: NonNullable<UndoStatus["preview"]>;
  lastRun: UndoRun | null;
  action: UndoAction;
  onAction: (action: UndoAction) => void;
};

const ACTIONS: readonly UndoAction[] = ["void", "delete"];

/** What would go, what stays and why, and the choice between voiding and deleting. */
export function UndoPreview({ preview, lastRun, action, onAction }: Props) {
  const { goes, going, stays_by_reason: byReason, staying, currencies } = preview;
  const money = (amount: string) => formatMoney(amount, currencyOfSum(currencies));
  // Those never posted are in the upload's own results with their reasons.
  const inBooks = staying.filter(({ reason }) => reason !== "not_posted");
  const stays = byReason.filter(({ reason }) => reason !== "not_posted");
  const stayingCount = stays.reduce((sum, { invoices }) => sum + invoices, 0);
  const neverPosted = byReason.find(({ reason }) => reason === "not_posted")?.invoices ?? 0;
  return (
    <>
      {lastRun?.sentence ? <p>{words.before(lastRun.sentence)}</p> : null}
      <p>
        {goes.invoices > 0 ? words.goes(action, goes.invoices, money(goes.amount)) : words.nothing}
        {neverPosted > 0 ? ` ${words.neverPosted(neverPosted)}` : null}
      </p>
      <Going invoices={going} count={goes.invoices} />
      {stayingCount > 0 ? (
        <>
          <p>{words.stays(stayingCount, money(sumOf(stays)))}</p>
          <ul>
            {stays.map(({ reason, invoices }) => (
              <li key={reason}>{words.reason(invoices, reason)}</li>
            ))}
          </ul>
        </>
      ) : null}
      <CurrencyNote currencies={currencies} />
      {goes.invoices > 0 ? (
        <fieldset style={{ marginBlock: 16 }}>
          <legend style={{ fontWeight: 700 }}>{words.how}</legend>
          {ACTIONS.map((one) => (
            <Choice
              key={one}
              type="radio"
              name="undo-action"
              checked={action === one}
              onChange={() => onAction(one)}
            >
              <strong>{words.actions[one].label}</strong> <br />
              {words.actions[one].hint}
            </Choice>
          ))}
        </fieldset>
      ) : null}
      <StayingTable title={words.staysTitle} invoices={inBooks} total={stayingCount} />
    </>
  );
}

/** The first of those that go, and how many more. */
function Going({ invoices, count }: { invoices: Props["preview"]["going"]; count: number }) {
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
