import { parseCents, centsToNumber } from "../kit/decimal.ts";
import { fault } from "./api-fault.ts";
import type { Entity } from "./books.ts";
import { checkProperties } from "./check-properties.ts";
import { buildInvoice, refuseClosedBooks } from "./invoice-build.ts";
import { chooseNumber } from "./invoice-number.ts";
import { checkSyncToken, findPrevious, nextToken, removeObject } from "./object-version.ts";
import { readList, metaNow, refValue, store, withoutEmpty } from "./write-context.ts";
import type { Fields, WriteContext, WriteOptions } from "./write-context.ts";

/** Creates an invoice. @throws ApiFault */
export function createInvoice(ctx: WriteContext, input: Fields, options: WriteOptions): Entity {
  checkProperties("Invoice", input, { latin1Only: ctx.company.country === "US" });
  const fields = withoutEmpty(input);
  const { body, customer } = buildInvoice(ctx, fields, { previous: undefined, sentLines: true });
  const docNumber = chooseNumber(ctx, {
    input: fields,
    previous: undefined,
    allowDuplicate: options.allowDuplicateDocNumber,
  });
  const entity = assemble(ctx, { body, docNumber, previous: undefined });
  store(ctx, "Invoice", { entity, operation: "created" });
  addToBalance(ctx, customer.Id, parseCents(entity["Balance"]));
  return entity;
}

/**
 * Updates an invoice, fully or, if the body says so, sparsely. An update without changes has no effect.
 * @throws ApiFault
 */
export function updateInvoice(ctx: WriteContext, input: Fields, options: WriteOptions): Entity {
  const previous = findForWrite(ctx, input);
  checkProperties("Invoice", input, { latin1Only: ctx.company.country === "US" });
  const sparse = String(input["sparse"]) === "true";
  const fields = withoutEmpty(sparse ? mergeSparse(previous, input) : input);
  const sentLines = input["Line"] !== undefined && input["Line"] !== null;
  const { body } = buildInvoice(ctx, fields, { previous, sentLines });
  const docNumber = chooseNumber(ctx, {
    input: fields,
    previous,
    allowDuplicate: options.allowDuplicateDocNumber,
  });
  const entity = assemble(ctx, { body, docNumber, previous });
  if (!sentLines && sameContent(entity, previous)) return previous;
  moveBalance(ctx, previous, entity);
  store(ctx, "Invoice", { entity, operation: "changed" });
  return entity;
}

/** Voids an invoice: amounts become 0, and the memo is marked. @throws ApiFault */
export function voidInvoice(ctx: WriteContext, input: Fields): Entity {
  const previous = findForWrite(ctx, input);
  const lines = readList(previous, "Line").map((line) => ({
    ...line,
    ...("Amount" in line && { Amount: 0 }),
    ...zeroDetail(line),
  }));
  const entity: Entity = {
    ...previous,
    SyncToken: nextToken(previous),
    MetaData: metaNow(ctx, previous),
    PrivateNote: "Voided",
    Line: lines,
    TxnTaxDetail: { TotalTax: 0 },
    TotalAmt: 0,
    Balance: 0,
  };
  moveBalance(ctx, previous, entity);
  store(ctx, "Invoice", { entity, operation: "voided" });
  return entity;
}

/** Deletes an invoice permanently. @throws ApiFault */
export function deleteInvoice(ctx: WriteContext, input: Fields): Fields {
  const previous = findForWrite(ctx, input);
  moveBalance(ctx, previous, undefined);
  return removeObject(ctx, "Invoice", previous);
}

/** Finds the stored invoice for a write. @throws ApiFault 2020, 2030, 610, 5010, 6210, 6540 */
function findForWrite(ctx: WriteContext, input: Fields): Entity {
  const previous = findPrevious(ctx, "Invoice", input);
  checkSyncToken(ctx, input, previous);
  refuseClosedBooks(ctx, String(previous["TxnDate"]));
  const deposited = ctx.sim.db
    .prepare("SELECT 1 FROM deposited_invoice WHERE realm_id = ? AND id = ?")
    .get(ctx.company.realmId, previous.Id);
  if (deposited) {
    throw fault(
      "6540",
      "Deposited Transaction cannot be changed : If this transaction is deposited, you should delete the associated deposit first.",
    );
  }
  return previous;
}

function mergeSparse(previous: Entity, input: Fields): Fields {
  const moved = ("TxnDate" in input || "SalesTermRef" in input) && !("DueDate" in input);
  return { ...previous, ...(moved && { DueDate: null }), ...input };
}

type Assembly = { body: Fields; docNumber: string | undefined; previous: Entity | undefined };

function assemble(ctx: WriteContext, { body, docNumber, previous }: Assembly): Entity {
  const {
    AllowIPNPayment,
    AllowOnlinePayment,
    AllowOnlineCreditCardPayment,
    AllowOnlineACHPayment,
    CustomField,
    ...rest
  } = body;
  return withoutEmpty({
    AllowIPNPayment,
    AllowOnlinePayment,
    AllowOnlineCreditCardPayment,
    AllowOnlineACHPayment,
    domain: "QBO",
    sparse: false,
    Id: previous?.Id ?? ctx.sim.books.nextId(ctx.company.realmId, "transaction", 101n),
    SyncToken: previous ? nextToken(previous) : "0",
    MetaData: metaNow(ctx, previous),
    CustomField,
    ...(docNumber !== undefined && { DocNumber: docNumber }),
    ...rest,
  });
}

function sameContent(a: Entity, b: Entity): boolean {
  const content = (entity: Entity) => JSON.stringify({ ...entity, SyncToken: "", MetaData: "" });
  return content(a) === content(b);
}

function zeroDetail(line: Fields): Fields {
  const detail = line["SalesItemLineDetail"];
  if (typeof detail !== "object" || detail === null || !("Qty" in detail)) return {};
  return { SalesItemLineDetail: { ...detail, Qty: 0 } };
}

function moveBalance(ctx: WriteContext, before: Entity, after: Entity | undefined): void {
  addToBalance(ctx, refValue(before, "CustomerRef") ?? "", -parseCents(before["Balance"]));
  if (after) addToBalance(ctx, refValue(after, "CustomerRef") ?? "", parseCents(after["Balance"]));
}

/** Changes a customer's balance and time of change, but not its SyncToken. */
export function addToBalance(ctx: WriteContext, customerId: string, cents: bigint): void {
  const customer = ctx.sim.books.get(ctx.company.realmId, "Customer", customerId);
  if (!customer) return;
  ctx.sim.books.put(ctx.company.realmId, "Customer", {
    ...customer,
    MetaData: metaNow(ctx, customer),
    Balance: centsToNumber(parseCents(customer["Balance"]) + cents),
  });
}
