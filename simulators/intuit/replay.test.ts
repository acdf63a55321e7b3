import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import type { Answer } from "../kit/test-call.ts";
import { ACME, readFault, invoiceBody, openTestBooks, startTestIntuit } from "./test-kit.ts";

const { intuit, acme } = await openTestBooks();

const create = (requestId: string, extra: Record<string, unknown>) =>
  acme.api("POST", `invoice?requestid=${requestId}`, { body: invoiceBody(extra) });
const countInvoices = async (docNumber: string) =>
  (await acme.query(`select count(*) from Invoice where DocNumber = '${docNumber}'`)).body["QueryResponse"]?.[
    "totalCount"
  ];
const faults = (...rules: object[]) => intuit.control("POST", "faults", rules);
const buildBatch = (...numbers: string[]) => ({
  BatchItemRequest: numbers.map((number) => ({
    bId: `i${number}`,
    operation: "create",
    Invoice: invoiceBody({ DocNumber: number }),
  })),
});

test("a repeated requestid returns the first answer, even with another body and after the invoice is gone", async () => {
  const first = await create("r-1", { DocNumber: "R-1" });
  const invoice = first.body["Invoice"];
  await acme.api("POST", "invoice?operation=delete", { body: { Id: invoice?.["Id"], SyncToken: "0" } });
  const again = await create("r-1", { DocNumber: "R-1-other" });
  expect(again.status).toBe(200);
  expect(again.body).toEqual(first.body);
  expect(await countInvoices("R-1")).toBe(0);
  expect(await countInvoices("R-1-other")).toBe(0);
});

test("a refusal is not replayed for its requestid unless switched on", async () => {
  expect(readFault(await create("r-2", { DocNumber: "R-2", CustomerRef: { value: "9999" } })).code).toBe(
    "2500",
  );
  expect((await create("r-2", { DocNumber: "R-2" })).status).toBe(200);
  await intuit.control("PATCH", "settings", { replayErrors: true });
  await create("r-2b", { DocNumber: "R-2b", CustomerRef: { value: "9999" } });
  expect(readFault(await create("r-2b", { DocNumber: "R-2b" })).code).toBe("2500");
  await intuit.control("PATCH", "settings", { replayErrors: false });
});

test("a second request with an id that is still running is refused with 600, and only one invoice is created", async () => {
  await faults({ fault: "latency", ms: 1_000, once: true, match: { operation: "invoice.create" } });
  const first = create("r-3", { DocNumber: "R-3" });
  await expect.poll(intuit.hits, { interval: 10 }).toBe(1);
  expect(readFault(await create("r-3", { DocNumber: "R-3" }))).toMatchObject({ status: 400, code: "600" });
  expect((await first).status).toBe(200);
  expect(await countInvoices("R-3")).toBe(1);
  expect((await create("r-3", { DocNumber: "R-3" })).status).toBe(200);
});

test("an abandoned hanging request frees its id without being executed", async () => {
  await intuit.control("DELETE", "faults");
  await faults({ fault: "hang", once: true, match: { operation: "invoice.create" } });
  const caller = new AbortController();
  const given = fetch(`${intuit.url}/v3/company/${ACME}/invoice?requestid=r-5`, {
    method: "POST",
    headers: { authorization: `Bearer ${acme.tokens.access}`, accept: "application/json" },
    body: JSON.stringify(invoiceBody({ DocNumber: "R-5" })),
    signal: caller.signal,
  });
  const refused = expect(given).rejects.toThrow();
  await expect.poll(intuit.hits, { interval: 10 }).toBe(1);
  expect(readFault(await create("r-5", { DocNumber: "R-5" })).code).toBe("600");
  caller.abort();
  await refused;
  await expect.poll(async () => (await create("r-5", { DocNumber: "R-5" })).status).toBe(200);
  expect(await countInvoices("R-5")).toBe(1);
});

test("a hundred concurrent requests with ten ids create ten invoices", async () => {
  const answers = await Promise.all(
    Array.from({ length: 100 }, (_, n) => create(`many-${n % 10}`, { DocNumber: `M-${n % 10}` })),
  );
  const ids = answers.flatMap(({ body }) => body["Invoice"]?.["Id"] ?? []);
  expect(new Set(ids).size).toBe(10);
  for (let n = 0; n < 10; n += 1) expect(await countInvoices(`M-${n}`)).toBe(1);
});

test("a response lost after the commit is returned again for its requestid", async () => {
  await faults({ fault: "committed_answer_lost", once: true, match: { operation: "invoice.create" } });
  await expect(create("r-4", { DocNumber: "R-4" })).rejects.toThrow();
  expect(await countInvoices("R-4")).toBe(1);
  expect((await create("r-4", { DocNumber: "R-4" })).body["Invoice"]).toMatchObject({ DocNumber: "R-4" });
  expect(await countInvoices("R-4")).toBe(1);
});

test("a repeated identical batch returns the first answers and is not executed twice", async () => {
  const send = () => acme.api("POST", "batch?requestid=b-1", { body: buildBatch("BA", "BB") });
  const first = await send();
  const again = await send();
  expect(again.body["BatchItemResponse"]).toEqual(first.body["BatchItemResponse"]);
  const keys = (answer: Answer) => Object.keys(answer.body["BatchItemResponse"]?.[0] ?? {});
  expect(keys(first).at(-1)).toBe("bId");
  expect([await countInvoices("BA"), await countInvoices("BB")]).toEqual([1, 1]);
  const { entries } = (await intuit.control("GET", "journal?operation=batch")) as unknown as {
    entries: object[];
  };
  expect(entries.slice(-2)).toMatchObject([
    { items: 2, writes: 2, replayed: 0, requestid: "b-1" },
    { items: 2, writes: 0, replayed: 2, requestid: "b-1" },
  ]);
});

test("in a repeated batch only the items not answered before are executed", async () => {
  await acme.api("POST", "batch?requestid=b-2", { body: buildBatch("BC") });
  const { body } = await acme.api("POST", "batch?requestid=b-2", { body: buildBatch("BC", "BD") });
  expect(body["BatchItemResponse"]).toMatchObject([
    { Invoice: { DocNumber: "BC" } },
    { Invoice: { DocNumber: "BD" } },
  ]);
  expect([await countInvoices("BC"), await countInvoices("BD")]).toEqual([1, 1]);
});

test("of two concurrent identical batches one is executed, the other is refused with 600", async () => {
  await faults({ fault: "latency", ms: 150, once: true, match: { operation: "batch" } });
  const send = () => acme.api("POST", "batch?requestid=b-3", { body: buildBatch("BE") });
  const codes = (await Promise.all([send(), send()])).map((answer) => readFault(answer).code);
  expect(codes.toSorted()).toEqual(["600", "undefined"]);
  expect(await countInvoices("BE")).toBe(1);
});

test("a batch of more than 30 items is refused with 1040, a long bId with a requestid with 2050", async () => {
  const many = buildBatch(...Array.from({ length: 31 }, (_, n) => `X${n}`));
  expect(readFault(await acme.api("POST", "batch", { body: many })).code).toBe("1040");
  const long = { BatchItemRequest: [{ bId: "a-long-item-id", operation: "create", Invoice: invoiceBody() }] };
  expect(readFault(await acme.api("POST", "batch?requestid=b-4", { body: long })).code).toBe("2050");
  expect(readFault(await create("x".repeat(51), {})).code).toBe("2050");
});

test("books, tokens and answers by requestid survive a restart, unless the state is from another version", async () => {
  const folder = mkdtempSync(join(tmpdir(), "intuit-"));
  const stateFile = join(folder, "state.sqlite");
  const before = await startTestIntuit({ stateFile });
  const connection = await before.connect();
  const send = (url: string) =>
    fetch(`${url}/v3/company/${ACME}/invoice?requestid=again`, {
      method: "POST",
      headers: { authorization: `Bearer ${connection.tokens.access}`, accept: "application/json" },
      body: JSON.stringify(invoiceBody({ DocNumber: "P-1" })),
    }).then((answer) => answer.json());
  const first: unknown = await send(before.url);
  await before.control("POST", "clock", { advanceMs: 60_000 });
  await before.close();
  const after = await startTestIntuit({ stateFile });
  expect(await send(after.url)).toEqual(first);
  const { now } = await after.control("GET", "clock");
  expect(Date.parse(String(now)) - Date.now()).toBeGreaterThan(55_000);
  await after.close();
  const older = new DatabaseSync(stateFile);
  older.exec("PRAGMA user_version = 1");
  older.close();
  const afresh = await startTestIntuit({ stateFile });
  expect((await afresh.control("GET", "users"))["users"]?.[0]).toMatchObject({ givenName: "Olive" });
  await expect(send(afresh.url)).resolves.toHaveProperty("fault");
  await afresh.close();
  rmSync(folder, { recursive: true });
});
