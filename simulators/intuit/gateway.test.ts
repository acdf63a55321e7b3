import { beforeEach, expect, test } from "vitest";
import { readFault, invoiceBody, openTestBooks } from "./test-kit.ts";

const { intuit, acme } = await openTestBooks();
beforeEach(() => intuit.control("DELETE", "faults"));

const faults = (...rules: object[]) => intuit.control("POST", "faults", rules);
const create = (number: string) => acme.api("POST", "invoice", { body: invoiceBody({ DocNumber: number }) });
const countInvoices = async (number: string) =>
  (await acme.query(`select count(*) from Invoice where DocNumber = '${number}'`)).body["QueryResponse"]?.[
    "totalCount"
  ];

test.each<{ status: number; page: string }>([
  ...[401, 402, 403, 404, 413, 429, 451, 500, 502, 503, 504].map((status) => ({ status, page: "html" })),
  { status: 302, page: "html" },
  { status: 204, page: "html" },
  { status: 200, page: "empty" },
  { status: 200, page: "html" },
])("a gateway's $status, $page, can replace Intuit's answer before or after the commit", async (answer) => {
  const [before, after] = [`GB-${answer.status}-${answer.page}`, `GA-${answer.status}-${answer.page}`];
  const gateway = { fault: "gateway", ...answer, match: { operation: "invoice.create" } };
  await faults({ ...gateway, once: true });
  const refused = await create(before);
  expect([refused.status, refused.headers.get("intuit_tid"), refused.body]).toEqual([
    answer.status,
    null,
    {},
  ]);
  expect(await countInvoices(before)).toBe(0);
  await faults({ ...gateway, count: 2, committed: true });
  const kept = await create(after);
  expect([kept.status, kept.headers.get("intuit_tid"), kept.body]).toEqual([answer.status, null, {}]);
  expect(await countInvoices(after)).toBe(1);
});

test("a proxy's 407, which fetch reports as a failed connection, can come after the commit too", async () => {
  const match = { operation: "invoice.create" };
  await faults({ fault: "gateway", status: 407, committed: true, once: true, match });
  await expect(create("GP-1")).rejects.toThrow("fetch failed");
  expect(await countInvoices("GP-1")).toBe(1);
});

test("a fault's status can differ from its code, and the write can still be done", async () => {
  await faults({ fault: "code", code: "3100", status: 500, once: true });
  expect(readFault(await create("GC-1"))).toMatchObject({ status: 500, code: "3100" });
  await faults({ fault: "code", code: "500", once: true });
  expect(readFault(await create("GC-2"))).toMatchObject({ status: 400, code: "500" });
  await faults({ fault: "code", code: "10000", committed: true, once: true });
  expect(readFault(await create("GC-3"))).toMatchObject({ status: 500, code: "10000" });
  expect([await countInvoices("GC-1"), await countInvoices("GC-2"), await countInvoices("GC-3")]).toEqual([
    0, 0, 1,
  ]);
});

test("an invoice created under a rule can stay hidden from queries, alone or as an item of a batch", async () => {
  const failed = { fault: "code", code: "10000", committed: true, hiddenS: 180, once: true };
  await faults({ ...failed, match: { operation: "invoice.create" } });
  await faults({ ...failed, match: { operation: "batch.item" } });
  expect(readFault(await create("GH-1")).code).toBe("10000");
  const items = ["GH-2", "GH-3"].map((number) => ({
    bId: number,
    operation: "create",
    Invoice: invoiceBody({ DocNumber: number }),
  }));
  const { body } = await acme.api("POST", "batch", { body: { BatchItemRequest: items } });
  expect(body["BatchItemResponse"]).toMatchObject([{ Fault: {} }, { Invoice: { DocNumber: "GH-3" } }]);
  expect(await Promise.all(["GH-1", "GH-2", "GH-3"].map(countInvoices))).toEqual([0, 0, 1]);
  expect(readFault(await create("GH-1")).code).toBe("6140");
  await intuit.control("POST", "clock", { advanceMs: 181_000 });
  expect(await Promise.all(["GH-1", "GH-2"].map(countInvoices))).toEqual([1, 1]);
});

test("changes and deletions reach queries only after the requested lag", async () => {
  const made = (await create("GL-1")).body["Invoice"];
  const gone = (await create("GL-2")).body["Invoice"];
  await intuit.control("PATCH", "settings", { changeLagS: 60 });
  await acme.api("POST", "invoice?operation=void", { body: { Id: made?.["Id"], SyncToken: "0" } });
  await acme.api("POST", "invoice?operation=delete", { body: { Id: gone?.["Id"], SyncToken: "0" } });
  await intuit.control("PATCH", "settings", { changeLagS: 0 });
  const shown = async () => {
    const { body } = await acme.query("select * from Invoice where DocNumber in ('GL-1', 'GL-2')");
    return (body["QueryResponse"]?.["Invoice"] ?? []) as unknown as { DocNumber: string; TotalAmt: number }[];
  };
  expect(await shown()).toMatchObject([
    { DocNumber: "GL-2", TotalAmt: 100 },
    { DocNumber: "GL-1", TotalAmt: 100 },
  ]);
  await intuit.control("POST", "clock", { advanceMs: 61_000 });
  expect(await shown()).toMatchObject([{ DocNumber: "GL-1", TotalAmt: 0 }]);
});

test("a write that takes longer than Intuit's own limit is abandoned with a 504 and never done", async () => {
  await intuit.control("PATCH", "settings", { callLimitS: 0.2 });
  await faults({ fault: "latency", ms: 600, once: true, match: { operation: "invoice.create" } });
  expect((await create("GT-1")).status).toBe(504);
  await faults({ fault: "latency", ms: 100, once: true, match: { operation: "invoice.create" } });
  expect((await create("GT-2")).status).toBe(200);
  await intuit.control("PATCH", "settings", { callLimitS: 120 });
  expect([await countInvoices("GT-1"), await countInvoices("GT-2")]).toEqual([0, 1]);
});
