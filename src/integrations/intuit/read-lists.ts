import type * as z from "zod";
import type { CallRealm } from "#integrations/intuit/call-realm.ts";
import type { Answer } from "#integrations/intuit/exchange.ts";
import { quoteText } from "#integrations/intuit/query-text.ts";
import { queryAll } from "#integrations/intuit/run-query.ts";
import { customer } from "#integrations/intuit/wire.ts";

/** Reads one customer, inactive ones too. @returns null when the books have none of this id */
export async function readCustomer(call: CallRealm, id: string) {
  const where = `Id = ${quoteText(id)} and Active in (true, false)`;
  const { data, tid } = await queryAll(call, { entity: "Customer", schema: customer, where });
  return { data: data[0] ?? null, tid };
}

/** Reads a complete name list, inactive names too: Intuit leaves them out by default. */
export const readList = <T extends { Id: string }>(
  call: CallRealm,
  entity: string,
  schema: z.ZodType<T>,
): Promise<Answer<T[]>> => queryAll(call, { entity, schema, where: "Active in (true, false)" });
