import { findContacts } from "#features/companies/index.ts";
import type { OrderDocumentResult } from "#features/orders/contract.ts";
import type { OrdersCtx } from "#features/orders/ctx.ts";
import type { ReadOrders } from "#features/orders/intake/read-orders.ts";
import type { Db } from "#platform/db/connect.ts";

/** Problems of a file that its mail has; the others are counted. */
const MAX_MAILED = 10;

/** Mails the documents of a folder's file that were refused, since no page shows them. An answer to one of our notices needs no action. */
export async function mailRefused(
  ctx: OrdersCtx,
  tx: Db,
  {
    realmId,
    file,
    results,
    read,
  }: { realmId: string; file: string; results: readonly OrderDocumentResult[]; read: ReadOrders },
): Promise<void> {
  const refused = results.filter(
    ({ result }, at) => result === "refused" && read.documents[at]?.document.kind !== "answer",
  );
  const all = refused.flatMap(({ po_number: po, problems }) =>
    problems.map((problem) => (po === "" ? problem : `PO # ${po}: ${problem}`)),
  );
  if (all.length === 0) return;
  const { company, recipients } = await findContacts(tx, realmId);
  const problems = all.slice(0, MAX_MAILED);
  const params = { company, file, problems, others: all.length - problems.length };
  for (const recipient of recipients)
    await ctx.notify(tx, { kind: "order_file_refused", realmId, recipient, params });
}
