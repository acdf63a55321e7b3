import * as z from "zod";
import type { CallRealm } from "#integrations/intuit/call-realm.ts";
import type { Answer } from "#integrations/intuit/exchange.ts";
import { isLongStatement, quoteText } from "#integrations/intuit/query-text.ts";
import { customer } from "#integrations/intuit/wire.ts";

/** Maximum number of objects in one answer from Intuit. */
export const PAGE_SIZE = 1000;

type Query<T> = {
  /** Name of the objects in queries. */
  entity: string;
  /** Schema of one object. */
  schema: z.ZodType<T>;
  /** Condition without the keyword WHERE. */
  where: string;
  /** By which pages are in order. What is changed meanwhile moves to the end by the former, and is read there. */
  orderBy?: keyof typeof TIMES;
};

/** An object with its times, as far as its pages are ordered by them. */
type Listed = {
  Id: string;
  MetaData?: { LastUpdatedTime?: string | undefined; CreateTime?: string | undefined } | undefined;
};

const TIMES = {
  "MetaData.LastUpdatedTime": ({ MetaData }: Listed) => MetaData?.LastUpdatedTime,
  "MetaData.CreateTime": ({ MetaData }: Listed) => MetaData?.CreateTime,
};

/** Number of objects that others may change or delete between two pages without the earlier one being read again. */
const OVERLAP = 50;
const STEP = PAGE_SIZE - OVERLAP;

/**
 * Reads all objects of an entity, page by page until one is not full, because lists have no total.
 * @returns each object once, even if the list shifted between two pages; the tid of the last page
 */
export async function queryAll<T extends Listed>(call: CallRealm, query: Query<T>): Promise<Answer<T[]>> {
  const found = new Map<string, T>();
  let last: string | null = null;
  for await (const { data, tid } of queryPages(call, query)) {
    for (const entry of data) found.set(entry.Id, entry);
    last = tid;
  }
  return { data: [...found.values()], tid: last };
}

/**
 * The same page by page, so that one page is in memory. An object may come twice, on two pages. Without an order Intuit
 * promises none: each page could be from a different order.
 * What others change or delete meanwhile moves all later objects up. A page that begins within or right after the one before
 * has an unchanged object in common with it; if it has none, objects between them may be missing, and reading goes a page back.
 */
export async function* queryPages<T extends Listed>(
  call: CallRealm,
  { entity, schema, where, orderBy = "MetaData.LastUpdatedTime" }: Query<T>,
): AsyncGenerator<Answer<T[]>, void> {
  const answer = z
    .object({ QueryResponse: z.object({ [entity]: z.array(schema).nullish() }) })
    .transform((body) => body.QueryResponse[entity] ?? []);
  const place = (entry: T) => `${entry.Id} ${TIMES[orderBy](entry)}`;
  let before = new Set<string>();
  for (let start = 1; ;) {
    const query = `select * from ${entity} where ${where} orderby ${orderBy} startposition ${start} maxresults ${PAGE_SIZE}`;
    const page = await call(
      { path: "/query", ...(isLongStatement(query) ? { body: query } : { query: { query } }) },
      answer,
    );
    const places = page.data.map(place);
    const isNext = start === 1 || places.some((each) => before.has(each));
    if (isNext) before = new Set(places);
    yield page;
    if (isNext && page.data.length < PAGE_SIZE) return;
    start = isNext ? start + STEP : Math.max(1, start - STEP);
  }
}

/** Reads one customer, including inactive ones. @returns null if the books have none with this id */
export async function readCustomer(call: CallRealm, id: string) {
  const where = `Id = ${quoteText(id)} and Active in (true, false)`;
  const { data, tid } = await queryAll(call, { entity: "Customer", schema: customer, where });
  return { data: data[0] ?? null, tid };
}

/** Reads a complete name list, including inactive names, which Intuit omits by default. */
export const readList = <T extends Listed>(
  call: CallRealm,
  entity: string,
  schema: z.ZodType<T>,
): Promise<Answer<T[]>> => queryAll(call, { entity, schema, where: "Active in (true, false)" });
