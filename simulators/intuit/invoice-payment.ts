import { parseCents, centsToNumber } from "../kit/decimal.ts";
import type { Entity } from "./books.ts";
import { addToBalance } from "./invoice-write.ts";
import { nextToken } from "./object-version.ts";
import { readList, metaNow, refValue, store, type Fields, type WriteContext } from "./write-context.ts";

/**
 * `keepToken`: Intuit does not document that a payment changes the invoice's SyncToken, so no program may
 * rely on it.
 */
type Payment = { invoice: Entity; amount?: number; deposited?: boolean; keepToken?: boolean };

/**
 * Receives a payment in the books: lowers the balance and links a payment; a deposited one locks the invoice.
 */
export function payInvoice(ctx: WriteContext, { invoice, amount, deposited, keepToken }: Payment): Entity {
  const open = parseCents(invoice["Balance"]);
  const wanted = amount === undefined ? open : parseCents(amount);
  const paid = wanted > open ? open : wanted;
  const payment = {
    TxnId: ctx.sim.books.nextId(ctx.company.realmId, "transaction", 101n),
    TxnType: "Payment",
  };
  const entity: Entity = {
    ...invoice,
    SyncToken: keepToken ? invoice.SyncToken : nextToken(invoice),
    MetaData: metaNow(ctx, invoice),
    LinkedTxn: [...readList(invoice as Fields, "LinkedTxn"), payment],
    Balance: centsToNumber(open - paid),
  };
  store(ctx, "Invoice", { entity, operation: "paid" });
  addToBalance(ctx, refValue(invoice, "CustomerRef") ?? "", -paid);
  if (deposited) {
    ctx.sim.db
      .prepare("INSERT OR IGNORE INTO deposited_invoice (realm_id, id) VALUES (?, ?)")
      .run(ctx.company.realmId, invoice.Id);
  }
  return entity;
}
