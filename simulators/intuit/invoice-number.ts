import { fault } from "./api-fault.ts";
import type { Entity } from "./books.ts";
import { preferenceOn } from "./companies.ts";
import { readSettings } from "./settings.ts";
import { readText, type Fields, type WriteContext } from "./write-context.ts";

type NumberInput = { input: Fields; previous: Entity | undefined; allowDuplicate: boolean };

/**
 * Chooses the number of an invoice by the company's preference. With custom numbers: the sent number (none
 * stays none; `AUTO_GENERATE` requests the next one). Otherwise: the next in sequence if none was sent.
 * @throws ApiFault 6140 if another invoice has it
 */
export function chooseNumber(
  ctx: WriteContext,
  { input, previous, allowDuplicate }: NumberInput,
): string | undefined {
  const sent = readText(input, "DocNumber");
  const auto = sent === "AUTO_GENERATE" || String(input["AutoDocNumber"]) === "true";
  if (sent !== undefined && !auto) {
    if (!allowDuplicate && sent !== previous?.["DocNumber"]) refuseDuplicate(ctx, sent, previous?.Id);
    rememberNumber(ctx, sent);
    return sent;
  }
  if (previous) return auto ? nextNumber(ctx) : undefined;
  return auto || !preferenceOn(ctx.company, "SalesFormsPrefs", "CustomTxnNumbers")
    ? nextNumber(ctx)
    : undefined;
}

function refuseDuplicate(ctx: WriteContext, docNumber: string, ownId: string | undefined): void {
  const taken = ctx.sim.books
    .named(ctx.company.realmId, "Invoice", docNumber)
    .find((invoice) => invoice.Id !== ownId);
  if (!taken) return;
  throw fault(
    "6140",
    `Duplicate Document Number Error : You must specify a different number. This number has already been used. ` +
      `DocNumber=${docNumber} is assigned to TxnType=Invoice with TxnId=${taken.Id}`,
  );
}

function nextNumber(ctx: WriteContext): string {
  const { books } = ctx.sim;
  const last = readSettings(ctx.sim).numbersContinue ? lastNumber(ctx) : undefined;
  if (last !== undefined) {
    let following = numberAfter(last);
    while (books.named(ctx.company.realmId, "Invoice", following).length > 0)
      following = numberAfter(following);
    rememberNumber(ctx, following);
    return following;
  }
  let next = books.nextId(ctx.company.realmId, "invoice_number", 1001n);
  while (books.named(ctx.company.realmId, "Invoice", next).length > 0)
    next = books.nextId(ctx.company.realmId, "invoice_number");
  return next;
}

const SEQUENCE = "last_invoice_number";

function lastNumber({ sim, company }: WriteContext): string | undefined {
  const row = sim.db
    .prepare("SELECT last FROM sequence WHERE realm_id = ? AND name = ?")
    .get(company.realmId, SEQUENCE);
  return row && String(row["last"]);
}

function rememberNumber({ sim, company }: WriteContext, number: string): void {
  sim.db
    .prepare("INSERT OR REPLACE INTO sequence (realm_id, name, last) VALUES (?, ?, ?)")
    .run(company.realmId, SEQUENCE, number);
}

/**
 * Returns INV-0100 after INV-0099: increments the trailing digits, keeping leading zeros; appends 1 if there
 * are none.
 */
function numberAfter(number: string): string {
  const digits = /\d*$/.exec(number)?.[0] ?? "";
  const next = String(BigInt(digits || 0) + 1n).padStart(digits.length, "0");
  return number.slice(0, number.length - digits.length) + next;
}
