import { beforeEach, expect, test } from "vitest";
import { BAY, readFault, invoiceBody, openTestBooks } from "./test-kit.ts";

const { intuit, acme } = await openTestBooks();
beforeEach(() => intuit.control("DELETE", "faults"));

const settings = (change: object) => intuit.control("PATCH", "settings", change);
const create = (requestId: string, extra: object = {}) =>
  acme.api("POST", `invoice?requestid=${requestId}`, { body: invoiceBody({ ...extra }) });
const readId = async (answer: ReturnType<typeof create>) => String((await answer).body["Invoice"]?.["Id"]);
const countInvoices = async (number: string) =>
  (await acme.query(`select count(*) from Invoice where DocNumber = '${number}'`)).body["QueryResponse"]?.[
    "totalCount"
  ];

test.each(["6000", "5020", "120", "3100", "500"])(
  "a repeat can be refused with %s although the first was kept",
  async (code) => {
    const repeated = { operation: "invoice.create", repeat: true };
    await intuit.control("POST", "faults", [{ fault: "code", code, match: repeated, once: true }]);
    const number = `RR-${code}`;
    const first = await readId(create(`rr-${code}`, { DocNumber: number }));
    expect(readFault(await create(`rr-${code}`, { DocNumber: number })).code).toBe(code);
    expect(await readId(create(`rr-${code}`, { DocNumber: number }))).toBe(first);
    expect(await countInvoices(number)).toBe(1);
  },
);

test("the items of a repeated batch can be refused although the first were stored", async () => {
  const match = { operation: "batch.item", repeat: true };
  await intuit.control("POST", "faults", [{ fault: "code", code: "6000", match }]);
  const BatchItemRequest = ["RB-1", "RB-2"].map((number) => ({
    bId: number,
    operation: "create",
    Invoice: invoiceBody({ DocNumber: number }),
  }));
  const send = () => acme.api("POST", "batch?requestid=rb", { body: { BatchItemRequest } });
  expect((await send()).body["BatchItemResponse"]).toMatchObject([{ Invoice: {} }, { Invoice: {} }]);
  expect((await send()).body["BatchItemResponse"]).toMatchObject([
    { Fault: { Error: [{ code: "6000" }] } },
    { Fault: { Error: [{ code: "6000" }] } },
  ]);
  expect([await countInvoices("RB-1"), await countInvoices("RB-2")]).toEqual([1, 1]);
});

test("request ids can be ignored: a repeat is executed again", async () => {
  await settings({ requestIds: "ignored" });
  const [first, second] = [await readId(create("ri")), await readId(create("ri"))];
  await settings({ requestIds: "honored" });
  expect(second).not.toBe(first);
});

test("request ids can be forgotten after a time, or at once", async () => {
  await settings({ requestIdsKeptS: 60 });
  const first = await readId(create("rf"));
  expect(await readId(create("rf"))).toBe(first);
  await intuit.control("POST", "clock", { advanceMs: 61_000 });
  const second = await readId(create("rf"));
  expect(second).not.toBe(first);
  await settings({ requestIdsKeptS: null });
  await intuit.control("DELETE", `requestids/${BAY}`);
  expect(await readId(create("rf"))).toBe(second);
  await intuit.control("DELETE", "requestids");
  expect(await readId(create("rf"))).not.toBe(second);
});

test("given numbers can continue the last one used, prefix and zeros included", async () => {
  await settings({ numbersContinue: true });
  const readNumber = async (extra: Record<string, unknown>) =>
    (await acme.api("POST", "invoice", { body: invoiceBody(extra) })).body["Invoice"]?.["DocNumber"];
  const auto = { DocNumber: "AUTO_GENERATE" };
  expect(await readNumber({ DocNumber: "INV-0099" })).toBe("INV-0099");
  expect(await readNumber(auto)).toBe("INV-0100");
  await readNumber({ DocNumber: "INV-0101" });
  await readNumber({ DocNumber: "INV-0100a" });
  expect(await readNumber(auto)).toBe("INV-0100a1");
  await settings({ numbersContinue: false });
  expect(await readNumber(auto)).toMatch(/^\d+$/);
});
