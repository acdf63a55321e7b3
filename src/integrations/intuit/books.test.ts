import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createBooks, type BatchItem, type Books, type InvoiceBody } from "#integrations/intuit/client.ts";
import { INTUIT_BUDGET } from "#integrations/intuit/config.ts";
import type { IntuitError } from "#integrations/intuit/errors.ts";
import { ACME, openBooks, startIntuit, type TestIntuit } from "#integrations/intuit/fixtures/open-books.ts";
import { systemIds } from "#platform/ids.ts";
import { createTestDatabase } from "../../../test/support/database.ts";
import { createBudget } from "#platform/outbound/budget.ts";
import { systemClock } from "#platform/clock.ts";

let intuit: TestIntuit;
let owner: string;
let database: Awaited<ReturnType<typeof createTestDatabase>>;
let opened: Awaited<ReturnType<typeof openBooks>>;
let books: Books;
let customerId: string;
let itemId: string;

beforeAll(async () => {
  intuit = await startIntuit();
  owner = ((await intuit.control("GET", `/companies/${ACME}`)) as { admins: string[] }).admins[0] ?? "";
  database = await createTestDatabase();
  opened = await openBooks(intuit, { sub: owner, realmId: ACME, db: database.db });
  ({ books } = opened);
  await setLimits({ perMinute: null, perSecond: null, batchPerMinute: null, batchPerMinuteRealm: null });
  customerId = (await books.customers()).data.find((customer) => customer.Active)?.Id ?? "";
  itemId = (await books.items()).data.find((item) => item.Active && item.Type === "Service")?.Id ?? "";
});
afterAll(async () => {
  await intuit.close();
  await database.drop();
});
beforeEach(async () => {
  await intuit.control("DELETE", "/faults");
  await intuit.control("DELETE", "/journal");
  // The budget used by the previous test is free again.
  await intuit.clock.sleep(61_000);
  intuit.clock.slept.length = 0;
});

const setLimits = (limits: Record<string, number | null>) =>
  intuit.control("PATCH", `/companies/${ACME}`, { limits });
const addFaults = (...rules: Record<string, unknown>[]) => intuit.control("POST", "/faults", rules);
const catchFailure = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: unknown) => error as IntuitError,
  );

let counter = 0;
const nextNumber = () => `T-${++counter}`;
const draft = (change: Partial<InvoiceBody> = {}): InvoiceBody => ({
  CustomerRef: { value: customerId },
  TxnDate: "2026-11-20",
  DocNumber: nextNumber(),
  Line: [
    {
      DetailType: "SalesItemLineDetail",
      Amount: 30,
      SalesItemLineDetail: { ItemRef: { value: itemId }, Qty: 3, UnitPrice: 10 },
    },
  ],
  ...change,
});
const requestId = () => systemIds.uuid();

type Entry = {
  operation: string;
  status: number;
  requestid: string | null;
  replayed: number;
  query: Record<string, string>;
};
async function journal(): Promise<Entry[]> {
  return ((await intuit.control("GET", "/journal")) as { entries: Entry[] }).entries;
}
const operations = async () => (await journal()).map((entry) => entry.operation);
const countInvoices = async (docNumber: string) =>
  (await books.findInvoicesByNumbers([docNumber])).data.invoices.length;

test("an invoice is created, read, voided and deleted, each answer with Intuit's id of the exchange", async () => {
  const body = draft();
  const made = await books.createInvoice(body, { requestId: requestId() });
  expect(made).toMatchObject({
    data: { DocNumber: body.DocNumber, TotalAmt: 30, SyncToken: "0" },
    tid: expect.stringMatching(/./),
  });
  const [read] = (await books.findInvoicesById([made.data.Id])).data;
  expect(read).toMatchObject({ Id: made.data.Id, CustomerRef: { value: customerId } });
  const voided = await books.voidInvoice(made.data, { requestId: requestId() });
  expect(voided.data).toMatchObject({ Id: made.data.Id, TotalAmt: 0, PrivateNote: "Voided", SyncToken: "1" });
  const gone = await books.deleteInvoice(voided.data, { requestId: requestId() });
  expect(gone.data).toMatchObject({ Id: made.data.Id, status: "Deleted" });
  expect((await books.findInvoicesById([made.data.Id])).data).toEqual([]);
  const again = books.deleteInvoice(voided.data, { requestId: requestId() });
  expect(await catchFailure(again)).toMatchObject({ kind: "notFound", http: 400 });
});

test("the same request id creates no second invoice and gives the first answer again", async () => {
  const body = draft();
  const id = requestId();
  const first = await books.createInvoice(body, { requestId: id });
  const second = await books.createInvoice(body, { requestId: id });
  expect(second.data).toEqual(first.data);
  expect(await countInvoices(body.DocNumber ?? "")).toBe(1);
});

test("refusals are distinguished: duplicate number, unknown item, stale version, missing customer", async () => {
  const body = draft();
  const { data: made } = await books.createInvoice(body, { requestId: requestId() });
  expect(await catchFailure(books.createInvoice(body, { requestId: requestId() }))).toMatchObject({
    kind: "duplicateDoc",
    http: 400,
    faults: [{ code: "6140" }],
    tid: expect.stringMatching(/./),
  });
  const [line] = draft().Line;
  const unknownItem = draft({
    Line: [{ ...line, SalesItemLineDetail: { ItemRef: { value: "99999" } } } as InvoiceBody["Line"][number]],
  });
  expect(await catchFailure(books.createInvoice(unknownItem, { requestId: requestId() }))).toMatchObject({
    kind: "badReference",
  });
  await books.voidInvoice(made, { requestId: requestId() });
  expect(await catchFailure(books.deleteInvoice(made, { requestId: requestId() }))).toMatchObject({
    kind: "stale",
  });
  const unknown = draft({ CustomerRef: { value: "" } });
  expect(await catchFailure(books.createInvoice(unknown, { requestId: requestId() }))).toMatchObject({
    http: 400,
  });
});

test("a batch reports each invoice separately, in the order given", async () => {
  const taken = draft();
  await books.createInvoice(taken, { requestId: requestId() });
  const items: BatchItem[] = [
    { bId: "a", operation: "create", Invoice: draft() },
    { bId: "b", operation: "create", Invoice: { ...draft(), DocNumber: taken.DocNumber ?? "" } },
    { bId: "c", operation: "create", Invoice: draft() },
  ];
  const { data, tid } = await books.batch(items);
  expect(tid).toMatch(/./);
  expect(data).toMatchObject([
    { bId: "a", ok: { TotalAmt: 30 } },
    { bId: "b", fault: { kind: "duplicateDoc" } },
    { bId: "c", ok: { TotalAmt: 30 } },
  ]);
});

test("a batch whose answer was lost is uncertain, and is sent once", async () => {
  const items: BatchItem[] = ["a", "b"].map((bId) => ({ bId, operation: "create", Invoice: draft() }));
  await addFaults({ fault: "committed_answer_lost", match: { operation: "batch" }, once: true });
  expect(await catchFailure(books.batch(items))).toMatchObject({ kind: "uncertain" });
  expect(await operations()).toEqual(["batch"]);
  for (const item of items)
    expect(await countInvoices((item.Invoice as InvoiceBody).DocNumber ?? "")).toBe(1);
});

test("a batch can void and delete", async () => {
  const made = await Promise.all([0, 1].map(() => books.createInvoice(draft(), { requestId: requestId() })));
  const [first, second] = made.map(({ data: { Id, SyncToken } }) => ({ Id, SyncToken }));
  if (!first || !second) throw new Error("two invoices were made");
  const { data } = await books.batch([
    { bId: "v", operation: "void", Invoice: first },
    { bId: "d", operation: "delete", Invoice: second },
  ]);
  expect(data).toMatchObject([
    { bId: "v", ok: { TotalAmt: 0 } },
    { bId: "d", ok: { Id: second.Id } },
  ]);
});

test("a batch that Intuit would refuse is not sent", async () => {
  const item = (bId: string): BatchItem => ({ bId, operation: "create", Invoice: draft() });
  const tooMany = Array.from({ length: 26 }, (_, index) => item(`i${index}`));
  await expect(books.batch(tooMany)).rejects.toThrow("1 to 25 items");
  await expect(books.batch([item("a"), item("a")])).rejects.toThrow("distinct ids");
  await expect(books.batch([item("12345678901")])).rejects.toThrow("distinct ids of 1 to 10");
  expect(await operations()).toEqual([]);
});

test.each(["committed_answer_lost", "committed_500", "500", "503", "half_body", "reset"])(
  "an invoice whose create ends in %s is uncertain, is sent once, and a replay settles it as one invoice",
  async (fault) => {
    const body = draft();
    const id = requestId();
    await addFaults({ fault, match: { operation: "invoice.create" }, once: true });
    expect(await catchFailure(books.createInvoice(body, { requestId: id }))).toMatchObject({
      kind: "uncertain",
    });
    expect(await operations()).toEqual(["invoice.create"]);
    expect((await books.createInvoice(body, { requestId: id })).data).toMatchObject({
      DocNumber: body.DocNumber,
      TotalAmt: 30,
    });
    expect(await countInvoices(body.DocNumber ?? "")).toBe(1);
  },
);

test("a create that hangs is cut off at its time-out and is uncertain", async () => {
  // With the timeout of reads, or with none, it would never end.
  const config = { ...opened.deps.config, timeoutsMs: { read: 24 * 3_600_000, write: 150 } };
  const hurried = createBooks({ ...opened.deps, config })(ACME);
  await addFaults({ fault: "hang" });
  expect(await catchFailure(hurried.createInvoice(draft(), { requestId: requestId() }))).toMatchObject({
    kind: "uncertain",
    http: null,
  });
  const items: BatchItem[] = [{ bId: "a", operation: "create", Invoice: draft() }];
  expect(await catchFailure(hurried.batch(items))).toMatchObject({
    kind: "uncertain",
  });
});

test.each(["500", "503", "half_body", "reset"])(
  "a read that ends in %s is retried after 1, 4 and 15 s",
  async (fault) => {
    await addFaults({ fault, match: { operation: "preferences.read" }, count: 3 });
    await expect(books.preferences()).resolves.toMatchObject({
      data: { SalesFormsPrefs: { CustomTxnNumbers: true } },
    });
    const waits = intuit.clock.slept.filter((ms) => ms > 500);
    expect(waits).toHaveLength(3);
    for (const [index, middle] of [1000, 4000, 15_000].entries()) {
      expect(waits[index]).toBeGreaterThanOrEqual(middle * 0.75);
      expect(waits[index]).toBeLessThanOrEqual(middle * 1.25);
    }
    await addFaults({ fault, match: { operation: "preferences.read" } });
    expect(await catchFailure(books.preferences())).toMatchObject({
      kind: ["half_body", "reset"].includes(fault) ? "network" : "system",
    });
    expect(await operations()).toHaveLength(8);
  },
);

test("ten calls that find the access token expired renew it once and all succeed", async () => {
  const before = opened.kept.refreshes();
  await intuit.control("POST", "/tokens/expire", { realmId: ACME });
  const calls = [...Array(9).keys()].map(() => books.companyInfo());
  const write = books.createInvoice(draft(), { requestId: requestId() });
  expect((await Promise.all(calls)).every(({ data }) => data.CompanyName.length > 0)).toBe(true);
  await expect(write).resolves.toMatchObject({ data: { TotalAmt: 30 } });
  expect(opened.kept.refreshes() - before).toBe(1);
  expect((await operations()).filter((operation) => operation === "oauth.refresh_token")).toHaveLength(1);
});

test("a call whose renewed token is refused too stops and says so", async () => {
  await addFaults({ fault: "expired_token", match: { operation: "companyinfo.read" } });
  const error = await catchFailure(books.companyInfo());
  expect(error).toMatchObject({ kind: "auth", http: 401, faults: [{ code: "3200" }] });
  expect(error?.faults[0]?.detail).toContain("[secret]");
  expect(await operations()).toEqual(["companyinfo.read", "oauth.refresh_token", "companyinfo.read"]);
});

test.each(["429", "429xml"])(
  "a throttled read (%s) pauses the company for 60 s and is retried once",
  async (fault) => {
    await addFaults({ fault, match: { operation: "companyinfo.read" }, once: true });
    const startedAt = intuit.clock.now().getTime();
    await expect(books.companyInfo()).resolves.toMatchObject({ data: { CompanyName: expect.any(String) } });
    const waitedMs = intuit.clock.now().getTime() - startedAt;
    expect(waitedMs).toBeGreaterThanOrEqual(60_000);
    expect(waitedMs).toBeLessThan(62_000);
    await addFaults({ fault, match: { operation: "companyinfo.read" } });
    expect(await catchFailure(books.companyInfo())).toMatchObject({ kind: "throttled", http: 429 });
  },
);

test.each([
  { said: "in seconds", retryAfter: { seconds: 7 }, waits: 7 },
  { said: "as a date", retryAfter: { seconds: 95, as: "date" }, waits: 95 },
  { said: "and says nonsense", retryAfter: { seconds: 10 ** 20 }, waits: 600 },
])(
  "a company that Intuit throttles is left alone for as long as it says ($said)",
  async ({ retryAfter, waits }) => {
    await addFaults({ fault: "429", code: "003001", retryAfter, once: true });
    const startedAt = intuit.clock.now().getTime();
    await expect(books.createInvoice(draft(), { requestId: requestId() })).resolves.toMatchObject({
      data: { TotalAmt: 30 },
    });
    const waitedMs = intuit.clock.now().getTime() - startedAt;
    // A date has no fractions of a second.
    expect(waitedMs).toBeGreaterThanOrEqual((waits - 1) * 1000);
    expect(waitedMs).toBeLessThan((waits + 2) * 1000);
  },
);

test("a throttled create was not executed: it is sent again under the same request id, at most five times", async () => {
  await addFaults({ fault: "429", match: { operation: "invoice.create" }, count: 5 });
  const id = requestId();
  await expect(books.createInvoice(draft(), { requestId: id })).resolves.toMatchObject({
    data: { TotalAmt: 30 },
  });
  const sent = await journal();
  expect(sent.map(({ status, requestid }) => ({ status, requestid }))).toEqual(
    [429, 429, 429, 429, 429, 200].map((status) => ({ status, requestid: id })),
  );
  await addFaults({ fault: "429", match: { operation: "invoice.create" } });
  expect(await catchFailure(books.createInvoice(draft(), { requestId: requestId() }))).toMatchObject({
    kind: "throttled",
  });
});

test("another company is not held up by a pause", async () => {
  await opened.deps.budget.pause(`intuit ${ACME}`, intuit.clock.now().getTime() + 60_000);
  const startedAt = intuit.clock.now().getTime();
  expect(await catchFailure(createBooks(opened.deps)("9130357849016944").companyInfo())).toMatchObject({
    name: "IntuitError",
  });
  expect(intuit.clock.now().getTime() - startedAt).toBeLessThan(59_000);
});

test("a company that the token is not for is refused at any address", async () => {
  const error = await catchFailure(createBooks(opened.deps)("9130357849016944").companyInfo());
  expect(["reconnect", "auth", "permission"]).toContain(error?.kind);
});

test("all lists are read completely, including inactive names", async () => {
  const { data: customers } = await books.customers();
  expect(customers.some((customer) => !customer.Active && customer.DisplayName.endsWith(" (deleted)"))).toBe(
    true,
  );
  expect(customers.some((customer) => customer.FullyQualifiedName?.includes(":"))).toBe(true);
  expect((await books.items()).data.some((item) => item.Type === "Category")).toBe(true);
  expect((await books.terms()).data.map((term) => term.Name)).toContain("Net 30");
  expect((await books.classes()).data.length).toBeGreaterThan(0);
  expect((await books.departments()).data.length).toBeGreaterThan(0);
  expect((await books.companyInfo()).data).toMatchObject({
    CompanyName: "Acme Tools",
    Country: expect.stringMatching(/^USA?$/),
  });
});

test("awkward numbers are found, or reported as impossible to query", async () => {
  const awkward = ["O'Brien's 1", "100%_A", '"quoted"', "A:B/C,D(1)", "Café-7"];
  for (const DocNumber of awkward)
    await books.createInvoice(draft({ DocNumber }), { requestId: requestId() });
  const { data } = await books.findInvoicesByNumbers([...awkward, "back\\slash", "curly’s", "never made"]);
  expect(new Set(data.invoices.map((invoice) => invoice.DocNumber))).toEqual(new Set(awkward));
  expect(data.unqueryable).toEqual(["back\\slash", "curly’s"]);
});

test("hundreds of numbers are queried in few calls, by POST where a URL would be too long", async () => {
  const body = draft();
  await books.createInvoice(body, { requestId: requestId() });
  await intuit.control("DELETE", "/journal");
  const numbers = Array.from({ length: 450 }, (_, index) => `MISSING-NUMBER-${index}`);
  const { data } = await books.findInvoicesByNumbers([...numbers, body.DocNumber ?? ""]);
  expect(data.invoices).toHaveLength(1);
  const entries = await journal();
  expect(entries).toHaveLength(3);
  expect(entries[0]).toMatchObject({ operation: "query", method: "POST" });
});

test("our budget stays below Intuit's own limits: a burst of 30 calls is never throttled", async () => {
  await setLimits({ perMinute: 500, perSecond: 10, batchPerMinute: 40, batchPerMinuteRealm: 120 });
  const own = await createTestDatabase();
  const holder = systemIds.uuid();
  const budget = createBudget({
    db: own.db,
    clock: systemClock,
    ids: systemIds,
    rules: INTUIT_BUDGET,
    holder,
  });
  const budgeted = createBooks({ ...opened.deps, clock: systemClock, budget })(ACME);
  // Calls of earlier tests must leave Intuit's own window.
  await intuit.control("POST", "/clock", { advanceMs: 1_001 });
  await intuit.control("DELETE", "/journal");
  await Promise.all(Array.from({ length: 30 }, () => budgeted.companyInfo()));
  const statuses = (await journal()).map((entry) => entry.status);
  expect(statuses).toEqual(Array.from({ length: 30 }, () => 200));
  await own.drop();
  await setLimits({ perMinute: null, perSecond: null, batchPerMinute: null, batchPerMinuteRealm: null });
});

test("a list of 2,350 customers is read completely in three pages, each customer once, in an order of its own: Intuit promises none", async () => {
  const realmId = "9130000000000001";
  await intuit.control("POST", "/seed", {
    companies: [{ realmId, admins: [owner], customers: 2350, invoices: 0 }],
  });
  const big = await openBooks(intuit, { sub: owner, realmId, db: database.db });
  await intuit.control("DELETE", "/journal");
  await intuit.control("PATCH", "/settings", { orderUnstable: true });
  const { data } = await big.books.customers();
  await intuit.control("PATCH", "/settings", { orderUnstable: false });
  expect(new Set(data.map((customer) => customer.Id)).size).toBe(2350);
  expect(data).toHaveLength(2350);
  const statements = (await journal()).map((entry) => entry.query["query"]);
  expect(statements).toEqual(
    [1, 951, 1901].map(
      (start) =>
        `select * from Customer where Active in (true, false) orderby MetaData.LastUpdatedTime startposition ${start} maxresults 1000`,
    ),
  );
});

test("invoices are read completely though 60 of the page before are edited meanwhile, which moves all later ones up", async () => {
  const realmId = "9130000000000013";
  await intuit.control("POST", "/seed", {
    companies: [{ realmId, admins: [owner], items: [{ Name: "Work", Type: "Service" }], invoices: 1100 }],
  });
  const own = await openBooks(intuit, { sub: owner, realmId, db: database.db });
  await intuit.control("POST", "/clock", { advanceMs: 60_000 });
  const found = new Map<string, string | undefined>();
  let pages = 0;
  for await (const { data } of own.books.findInvoicesUpdatedSince(new Date(0))) {
    for (const { Id, PrivateNote } of data) found.set(Id, PrivateNote);
    pages += 1;
    if (pages > 1) continue;
    for (const { Id } of data.slice(0, 60))
      await intuit.control("POST", `/books/${realmId}/invoice/${Id}`, { PrivateNote: "edited" });
  }
  expect(found.size).toBe(1100);
  expect([...found.values()].filter((note) => note === "edited")).toHaveLength(60);
});

test("a company that assigns its own numbers returns the number", async () => {
  const realmId = "9130000000000002";
  const preferences = { SalesFormsPrefs: { CustomTxnNumbers: false } };
  const customers = [{ DisplayName: "Only One" }];
  const items = [{ Name: "Work", Type: "Service", UnitPrice: 10 }];
  const seed = { realmId, admins: [owner], preferences, customers, items, invoices: 0 };
  await intuit.control("POST", "/seed", { companies: [seed] });
  const own = await openBooks(intuit, { sub: owner, realmId, db: database.db });
  const { DocNumber: _left, ...body } = draft();
  const [customer] = (await own.books.customers()).data;
  const [item] = (await own.books.items()).data;
  const [line] = body.Line;
  const here: InvoiceBody = {
    ...body,
    CustomerRef: { value: customer?.Id ?? "" },
    Line: [
      {
        ...line,
        SalesItemLineDetail: { ItemRef: { value: item?.Id ?? "" }, Qty: 3, UnitPrice: 10 },
      } as InvoiceBody["Line"][number],
    ],
  };
  const { data } = await own.books.createInvoice(here, { requestId: requestId() });
  expect(data.DocNumber).toMatch(/^\d+$/);
});

test("closed books, an ended subscription and a company in maintenance are distinguished, and nothing is sent twice", async () => {
  const create = () => catchFailure(books.createInvoice(draft(), { requestId: requestId() }));
  await intuit.control("PATCH", `/companies/${ACME}`, {
    preferences: { AccountingInfoPrefs: { BookCloseDate: "2026-11-30" } },
  });
  expect(await create()).toMatchObject({ kind: "closedBooks" });
  await intuit.control("PATCH", `/companies/${ACME}`, {
    preferences: { AccountingInfoPrefs: { BookCloseDate: "2020-01-31" } },
  });
  await intuit.control("PATCH", `/companies/${ACME}`, { status: "subscription_expired" });
  expect(await create()).toMatchObject({ kind: "subscription" });
  await intuit.control("PATCH", `/companies/${ACME}`, { status: "maintenance" });
  expect((await create())?.kind).toMatch(/system|uncertain/);
  await intuit.control("PATCH", `/companies/${ACME}`, { status: "active" });
  expect(await operations()).toEqual(["invoice.create", "invoice.create", "invoice.create"]);
});

test("a company disconnected in the middle of the work asks to be reconnected", async () => {
  const realmId = "9130000000000003";
  await intuit.control("POST", "/seed", {
    companies: [{ realmId, admins: [owner], customers: 1, items: 1, invoices: 0 }],
  });
  const own = await openBooks(intuit, { sub: owner, realmId, db: database.db });
  await own.books.companyInfo();
  await intuit.control("POST", "/tokens/revoke", { realmId });
  expect(await catchFailure(own.books.companyInfo())).toMatchObject({ kind: "reconnect" });
  expect(await catchFailure(own.books.createInvoice(draft(), { requestId: requestId() }))).toMatchObject({
    kind: "reconnect",
  });
});

test("an invoice that was deleted stays deleted when its request is replayed", async () => {
  const body = draft();
  const id = requestId();
  const { data: made } = await books.createInvoice(body, { requestId: id });
  await books.deleteInvoice(made, { requestId: requestId() });
  expect((await books.createInvoice(body, { requestId: id })).data.Id).toBe(made.Id);
  expect(await countInvoices(body.DocNumber ?? "")).toBe(0);
});

test("no line of the log contains a token or a customer's name", async () => {
  await addFaults({ fault: "expired_token", match: { operation: "companyinfo.read" } });
  intuit.log.error({ err: await catchFailure(books.companyInfo()) }, "failed");
  const { data: customers } = await books.customers();
  const log = intuit.lines.join("\n");
  expect(log).toContain(`/v3/company/${ACME}/companyinfo/${ACME}`);
  const { accessToken, refreshToken } = opened.kept.tokens();
  for (const secret of [accessToken, refreshToken, opened.grant.tokens.accessToken, "Bearer"])
    expect(log).not.toContain(secret);
  for (const customer of customers) expect(log).not.toContain(customer.DisplayName);
});
