import { afterAll, beforeEach, expect, test } from "vitest";
import { machineTimer } from "../kit/timer.ts";
import { ACME, readFault, invoiceBody, startTestIntuit } from "./test-kit.ts";

/** A paused clock, so that the contents of a window do not depend on how busy the machine is. */
const NOW = Date.parse("2026-11-21T08:00:00Z");

const intuit = await startTestIntuit({ timer: { ...machineTimer, now: () => new Date(NOW) } });
afterAll(() => intuit.close());

const OFF = {
  perMinute: null,
  perSecond: null,
  batchPerMinute: null,
  batchPerMinuteRealm: null,
  atOnce: null,
  answer: "json",
  retryAfter: null,
};
const limits = (change: object) =>
  intuit.control("PATCH", `companies/${ACME}`, { limits: { ...OFF, ...change } });
beforeEach(() => intuit.control("POST", "clock", { advanceMs: 120_000 }));

async function countStatuses(
  count: number,
  send: () => Promise<{ status: number }>,
): Promise<Record<number, number>> {
  const tally: Record<number, number> = {};
  for (let n = 0; n < count; n += 1) {
    const { status } = await send();
    tally[status] = (tally[status] ?? 0) + 1;
  }
  return tally;
}

test("the eleventh request of a second is throttled, and the next second allows requests again", async () => {
  await limits({ perSecond: 10 });
  const { api } = await intuit.connect();
  const answers = await Promise.all(Array.from({ length: 12 }, () => api("GET", "preferences")));
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(2);
  expect(readFault(answers.find(({ status }) => status === 429) ?? answers[0]!)).toMatchObject({
    code: "3001",
  });
  await intuit.control("POST", "clock", { advanceMs: 1001 });
  expect((await api("GET", "preferences")).status).toBe(200);
});

test("the eleventh concurrent request is throttled, and when one has ended another is allowed", async () => {
  await limits({ atOnce: 10 });
  const { api } = await intuit.connect();
  await intuit.control("POST", "faults", { fault: "latency", ms: 1_500, count: 10 });
  const ten = Array.from({ length: 10 }, () => api("GET", "preferences"));
  await expect.poll(intuit.hits, { interval: 10 }).toBe(10);
  expect((await api("GET", "preferences")).status).toBe(429);
  expect((await Promise.all(ten)).map(({ status }) => status)).toEqual(ten.map(() => 200));
  expect((await api("GET", "preferences")).status).toBe(200);
});

test("500 requests and 40 batches a minute are the limit, and a minute later requests are allowed again", async () => {
  await limits({ perMinute: 500, batchPerMinute: 40 });
  const { api } = await intuit.connect();
  const batch = { BatchItemRequest: [{ bId: "1", operation: "create", Invoice: invoiceBody() }] };
  expect(await countStatuses(45, () => api("POST", "batch", { body: batch }))).toEqual({ 200: 40, 429: 5 });
  expect(await countStatuses(470, () => api("GET", "preferences"))).toEqual({ 200: 460, 429: 10 });
  await intuit.control("POST", "clock", { advanceMs: 60_001 });
  expect((await api("POST", "batch", { body: batch })).status).toBe(200);
});

test("a company can answer 429 as XML even when JSON was requested", async () => {
  await limits({ perSecond: 0, answer: "xml" });
  const { api } = await intuit.connect();
  const answer = await api("GET", "preferences");
  expect([answer.status, answer.headers.get("content-type")]).toEqual([429, "application/xml"]);
});

test("a company's 429 can say when to retry, in seconds or as a date, and the retry succeeds then", async () => {
  const { api } = await intuit.connect();
  await limits({ perMinute: 1 });
  expect((await api("GET", "preferences")).status).toBe(200);
  expect((await api("GET", "preferences")).headers.get("retry-after")).toBeNull();
  await limits({ perMinute: 1, retryAfter: "seconds" });
  expect((await api("GET", "preferences")).headers.get("retry-after")).toBe("60");
  await limits({ perMinute: 1, retryAfter: "date" });
  const { headers } = await api("GET", "preferences");
  const [date, until] = ["date", "retry-after"].map((name) => Date.parse(headers.get(name) ?? ""));
  expect(until! - date!).toBe(60_000);
  expect(date! - NOW).toBeGreaterThan(110_000);
  await intuit.control("POST", "clock", { advanceMs: 60_000 });
  expect((await api("GET", "preferences")).status).toBe(200);
});

test("a throttled write is not executed", async () => {
  await limits({ perSecond: 0 });
  const { api, query } = await intuit.connect();
  expect((await api("POST", "invoice", { body: invoiceBody({ DocNumber: "T-1" }) })).status).toBe(429);
  await limits({});
  expect((await query("select count(*) from Invoice where DocNumber = 'T-1'")).body["QueryResponse"]).toEqual(
    { totalCount: 0 },
  );
});
