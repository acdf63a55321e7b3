import type { ApiCall } from "./api-call.ts";
import { fault, notFound } from "./api-fault.ts";
import type { ApiAnswer } from "./api-replies.ts";
import { writeContext } from "./query-run.ts";
import { nextToken } from "./object-version.ts";
import { envelopeTime, metaTime } from "./wire-time.ts";
import { metaNow, store, readText, type Fields } from "./write-context.ts";

/**
 * POST /invoice/{id}/send: marks it as sent to `sendTo` or its own address. @throws ApiFault 610, 2210, 6420
 */
export function sendInvoice(call: ApiCall, id: string): ApiAnswer {
  const previous = call.sim.books.get(call.company.realmId, "Invoice", id);
  if (!previous) throw notFound();
  const own = readText((previous["BillEmail"] ?? {}) as Fields, "Address");
  const address = call.request.url.searchParams.get("sendTo") ?? own;
  if (address === undefined)
    throw fault("6420", "Email address required : The invoice has no email address to send to.");
  if (!/^[^\s@]+@[^\s@]+$/.test(address))
    throw fault("2210", "Email Address does not conform to the RFC 822 standard.", "sendTo");
  const ctx = writeContext(call);
  const entity = {
    ...previous,
    SyncToken: nextToken(previous),
    MetaData: metaNow(ctx, previous),
    EmailStatus: "EmailSent",
    BillEmail: { Address: address },
    DeliveryInfo: { DeliveryType: "Email", DeliveryTime: metaTime(call.sim.clock.now()) },
  };
  store(ctx, "Invoice", { entity, operation: `sent to ${address}` });
  call.tally.writes += 1;
  return { status: 200, body: { Invoice: entity, time: envelopeTime(call.receivedAt) } };
}
