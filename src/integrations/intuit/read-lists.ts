import type * as z from "zod";
import type { CallRealm } from "#integrations/intuit/call-realm.ts";
import type { Answer } from "#integrations/intuit/exchange.ts";
import { quoteText } from "#integrations/intuit/query-text.ts";
import { queryAll, type EntitySchema } from "#integrations/intuit/run-query.ts";
import { customer, item, namedObject, term } from "#integrations/intuit/wire.ts";

/** The name lists the product resolves names with. */
export const LISTS = {
  customers: { entity: "Customer", schema: customer },
  items: { entity: "Item", schema: item },
  terms: { entity: "Term", schema: term },
  classes: { entity: "Class", schema: namedObject },
  departments: { entity: "Department", schema: namedObject },
};

/** Reads one customer, inactive ones too. @returns null when the books have none of this id */
export async function readCustomer(
  call: CallRealm,
  id: string,
  signal?: AbortSignal,
): Promise<Answer<z.output<typeof customer> | null>> {
  const where = `Id = ${quoteText(id)} and Active in (true, false)`;
  const { data, tid } = await queryAll(call, LISTS.customers, { where, signal });
  return { data: data[0] ?? null, tid };
}

/** Reads a complete name list, inactive names too: Intuit leaves them out by default. */
export function readList<T extends { Id: string }>(
  call: CallRealm,
  list: EntitySchema<T>,
  signal?: AbortSignal,
): Promise<Answer<T[]>> {
  return queryAll(call, list, { where: "Active in (true, false)", signal });
}
