import { fault } from "./api-fault.ts";
import type { Entity } from "./books.ts";
import { preferenceOn } from "./companies.ts";
import { textOf, type Fields, type WriteContext } from "./write-context.ts";

type NumberWish = { input: Fields; previous: Entity | undefined; allowDuplicate: boolean };

/**
 * The number of an invoice by the company's preference: with custom numbers what was sent (nothing stays nothing,
 * `AUTO_GENERATE` asks for the next one), without them the next in sequence when none was sent.
 * @throws ApiFault 6140 when another invoice has it
 */
export function numberOf(
  ctx: WriteContext,
  { input, previous, allowDuplicate }: NumberWish,
): string | undefined {
  const sent = textOf(input, "DocNumber");
  const auto = sent === "AUTO_GENERATE" || String(input["AutoDocNumber"]) === "true";
  if (sent !== undefined && !auto) {
    if (!allowDuplicate && sent !== previous?.["DocNumber"]) refuseDuplicate(ctx, sent, previous?.Id);
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
  let next = books.nextId(ctx.company.realmId, "invoice_number", 1001n);
  while (books.named(ctx.company.realmId, "Invoice", next).length > 0)
    next = books.nextId(ctx.company.realmId, "invoice_number");
  return next;
}
