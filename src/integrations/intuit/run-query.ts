import * as z from "zod";
import type { CallRealm } from "#integrations/intuit/call-realm.ts";
import type { Answer } from "#integrations/intuit/exchange.ts";
import { isLongStatement } from "#integrations/intuit/query-text.ts";

/** The most objects Intuit gives in one answer. */
export const PAGE_SIZE = 1000;

/** Names of entities as queries spell them, with what is read of each. */
export type EntitySchema<T> = { entity: string; schema: z.ZodType<T> };

/**
 * Reads all objects of an entity, page by page until one is not full: lists carry no total.
 * @param options.where condition without the word WHERE
 * @param options.overlap objects of a page that are read with the next one again: the list may shrink meanwhile
 * @returns each object once, also when the list moved between two pages; the tid of the last page
 */
export async function queryAll<T extends { Id: string }>(
  call: CallRealm,
  { entity, schema }: EntitySchema<T>,
  options: { where?: string | undefined; signal?: AbortSignal | undefined; overlap?: number } = {},
): Promise<Answer<T[]>> {
  const found = new Map<string, T>();
  const answer = z
    .object({ QueryResponse: z.object({ [entity]: z.array(schema).nullish() }) })
    .transform((body) => body.QueryResponse[entity] ?? []);
  const where = options.where ? ` where ${options.where}` : "";
  for (let start = 1; ; start += PAGE_SIZE - (options.overlap ?? 0)) {
    const statement = `select * from ${entity}${where} startposition ${start} maxresults ${PAGE_SIZE}`;
    const { data, tid } = await call(queryOperation(statement, options.signal), answer);
    for (const entry of data) found.set(entry.Id, entry);
    if (data.length < PAGE_SIZE) return { data: [...found.values()], tid };
  }
}

function queryOperation(statement: string, signal: AbortSignal | undefined) {
  if (!isLongStatement(statement)) {
    return { method: "GET", path: "/query", query: { query: statement }, write: false, signal } as const;
  }
  const body = { type: "application/text", text: statement } as const;
  return { method: "POST", path: "/query", body, write: false, signal } as const;
}
