import { readEntries } from "#features/books/index.ts";
import { isReadingFailure } from "#features/books/index.ts";
import { findTimeZone } from "#features/companies/index.ts";
import type { MatchQuestion, ThreadFilter, ThreadList } from "#features/order-invoices/contract.ts";
import type { OrderInvoicesCtx } from "#features/order-invoices/ctx.ts";
import { refreshDrafts } from "#features/order-invoices/refresh-drafts.ts";
import { toThread, type Sayings } from "#features/order-invoices/rules-thread.ts";
import { settleInvoices } from "#features/order-invoices/settle-invoices.ts";
import { findSettings, listUndrafted, listWaiting } from "#features/order-invoices/store.ts";
import { findRetailers, findThreads, type Share } from "#features/order-invoices/store-threads.ts";
import { findRetailerName } from "#features/orders/index.ts";
import { dayIn } from "#formats/text/phrases.ts";
import { centsText } from "#platform/money.ts";

type ThreadQuery = { show: ThreadFilter; search: string; offset: number; limit: number };

/** Drafts made while the page is read; a pass makes the others. */
const DRAFTED_NOW = 50;

/** Lists how far orders are. What was shipped or posted a moment ago is drafted or recorded first. */
export async function listThreads(
  ctx: OrderInvoicesCtx,
  realmId: string,
  asked: ThreadQuery,
): Promise<ThreadList> {
  await catchUp(ctx, realmId);
  const { rows, total, shares } = await findThreads(ctx.db, realmId, asked);
  const [{ id: partner }] = ctx.partners;
  const retailers = await findRetailers(ctx.db, realmId);
  const last = retailers[0]?.last ?? null;
  const sayings = sayIn(await findTimeZone(ctx.db, realmId), ctx.clock.now());
  const toShare = ({ orders, cents }: Share) => ({ orders, amount: centsText(cents) });
  return {
    retailers:
      retailers.length > 0 ? retailers.map((each) => findRetailerName(ctx, each.partner)) : [ctx.retailer],
    last_order_at: last?.toISOString() ?? null,
    last_order_time: last ? sayings.say(last) : "",
    shares: {
      all: toShare(shares.all),
      ready: toShare(shares.ready),
      differs: toShare(shares.differs),
      retailer: toShare(shares.retailer),
      done: toShare(shares.done),
    },
    posting: shares.posting,
    threads: rows.map((row) => toThread(row, sayings)),
    total_count: total,
    questions: await listQuestions(ctx, realmId),
    posts_when_shipped: (await findSettings(ctx.db, realmId, partner))?.posts_when_shipped ?? false,
  };
}

/** While the books can't be read, the list shows what is known. */
async function catchUp(ctx: OrderInvoicesCtx, realmId: string): Promise<void> {
  try {
    await settleInvoices(ctx, realmId);
    await refreshDrafts(ctx, realmId, await listUndrafted(ctx.db, realmId, DRAFTED_NOW));
  } catch (error) {
    if (!isReadingFailure(error)) throw error;
  }
}

/** Names that drafts wait for, each once. */
async function listQuestions(ctx: OrderInvoicesCtx, realmId: string): Promise<MatchQuestion[]> {
  const waiting = await listWaiting(ctx.db, realmId);
  if (waiting.length === 0) return [];
  const items = await readEntries(ctx, realmId, "item").catch((error: unknown) => {
    if (isReadingFailure(error)) return [];
    throw error;
  });
  const asked = new Map<string, MatchQuestion & { cents: number }>();
  const ask = (
    question: Pick<MatchQuestion, "partner" | "kind" | "written" | "description" | "suggestions">,
    cents: number,
  ) => {
    const key = `${question.partner} ${question.kind} ${question.written}`;
    const known = asked.get(key) ?? { ...question, orders: 0, amount: "", cents: 0 };
    asked.set(key, { ...known, orders: known.orders + 1, cents: known.cents + cents });
  };
  for (const { partner, draft } of waiting) {
    const description = findRetailerName(ctx, partner);
    if (!draft.customer)
      ask({ partner, kind: "customer", written: "", description, suggestions: [] }, draft.totalCents);
    if (draft.unknownTerms !== undefined)
      ask(
        { partner, kind: "term", written: draft.unknownTerms, description, suggestions: [] },
        draft.totalCents,
      );
    for (const { item, sku, description: text, suggestions, cents } of draft.lines) {
      const named = suggestions.flatMap((name) => items.find((candidate) => candidate.name === name) ?? []);
      if (!item) ask({ partner, kind: "item", written: sku, description: text, suggestions: named }, cents);
    }
  }
  return [...asked.values()].map(({ cents, ...question }) => ({ ...question, amount: centsText(cents) }));
}

/** Writes times of a company in its zone: "8:00 PM EST", "Nov 27"; with the year of another one. */
export function sayIn(timeZone: string, now: Date): Sayings {
  const time = new Intl.DateTimeFormat("en-US", {
    timeZone,
    hour: "numeric",
    minute: "2-digit",
    timeZoneName: "short",
  });
  const short = new Intl.DateTimeFormat("en-US", { timeZone, month: "short", day: "numeric" });
  const long = new Intl.DateTimeFormat("en-US", { timeZone, dateStyle: "medium" });
  const today = dayIn(timeZone);
  const isThisYear = (at: Date) => today(at).slice(0, 4) === today(now).slice(0, 4);
  const day = (at: Date) => (isThisYear(at) ? short : long).format(at);
  return {
    say: (at) => (today(at) === today(now) ? time.format(at) : `${day(at)}, ${time.format(at)}`),
    day,
    today: today(now),
  };
}
