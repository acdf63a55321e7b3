import * as z from "zod";
import type { CallRealm } from "#integrations/intuit/call-realm.ts";
import type { WriteOptions } from "#integrations/intuit/change-invoice.ts";
import type { Answer } from "#integrations/intuit/exchange.ts";
import { customer } from "#integrations/intuit/wire.ts";

/**
 * Makes a customer.
 * @throws IntuitError `duplicateName` when a customer, vendor or employee has the name; `uncertain` when it may have
 *   been made: replay with the same request id
 */
export function createCustomer(
  call: CallRealm,
  body: { DisplayName: string },
  { requestId, signal }: WriteOptions,
): Promise<Answer<z.output<typeof customer>>> {
  const json = { type: "application/json", text: JSON.stringify(body) } as const;
  const answer = z.object({ Customer: customer }).transform((envelope) => envelope.Customer);
  return call({ method: "POST", path: "/customer", write: true, body: json, requestId, signal }, answer);
}
