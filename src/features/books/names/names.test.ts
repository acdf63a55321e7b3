import { sql } from "kysely";
import { expect, test } from "vitest";
import { listCompanies } from "#features/companies/contract.ts";
import { parseSealingKeys, seal } from "#platform/crypto/seal.ts";
import { createLog } from "#platform/log.ts";
import * as contract from "#features/books/names/contract.ts";
import type { Browser } from "../../../../test/support/browser.ts";
import { ACME, BAY } from "../../../../test/support/intuit.ts";
import { startApp } from "../../../../test/support/start-app.ts";
import { settledUploads, uploadRows } from "../../../../test/support/uploads.ts";
import { downloadTemplate, listUnknownNames, type UnknownNames } from "#features/invoices/contract.ts";
import { invoiceLine } from "../../../../test/support/workbooks.ts";

const query = { realm_id: ACME };

async function findId(browser: Browser, kind: string, q: string): Promise<{ id: string; name: string }> {
  const found = await browser.call(contract.searchList, { params: { kind }, query: { ...query, q } });
  const [first] = (found.json() as { entries: { id: string; name: string }[] }).entries;
  if (!first) throw new Error(`The list has no ${q}.`);
  return first;
}

test("an unknown name is listed once, with suggestions and the invoices it alone holds back, and a confirmed choice is remembered for later uploads", async () => {
  const app = await startApp();
  const browser = await app.owner(ACME);
  await uploadRows(browser, ACME, [
    invoiceLine("N-1", { Customer: "Kool Kars" }),
    invoiceLine("N-2", { Customer: "kool  kars" }),
    invoiceLine("N-3", { Item: "Claw Hamer" }),
    invoiceLine("N-4", { Customer: "Kool Kars", "Invoice Date": "32/03/2026" }),
    invoiceLine("N-5", { Customer: "Kool Kars", Item: "Claw Hamer" }),
    invoiceLine("N-6", { Item: "Claw Hamer" }),
    invoiceLine("N-6", { Item: "Claw Hamer" }),
  ]);
  const [first] = (await settledUploads(browser, ACME)).uploads;
  const unknown = await browser.call(listUnknownNames, {
    params: { upload_id: first?.id ?? "" },
    query,
  });
  expect(unknown.json()).toMatchObject({
    names: [
      { kind: "customer", text: "Kool Kars", rows: "2 and 5-6", count: 3, unlocks: 1 },
      { kind: "customer", text: "kool kars", rows: "3", unlocks: 1 },
      { kind: "item", text: "Claw Hamer", count: 4, unlocks: 2, suggestions: [{ name: "Claw Hammer" }] },
    ],
  });
  const target = await findId(browser, "customer", "Cool Cars");
  const chosen = await browser.call(contract.chooseName, {
    query,
    json: { kind: "customer", text: "Kool Kars", target_id: target.id },
  });
  expect(chosen.json()).toMatchObject({ target_name: "Cool Cars" });
  await uploadRows(browser, ACME, [
    invoiceLine("N-1", { Customer: "Kool Kars" }),
    invoiceLine("N-2", { Customer: "kool  kars" }),
  ]);
  const [second] = (await settledUploads(browser, ACME)).uploads;
  expect(second?.counts).toMatchObject({ completed: 2, problems: 0 });
  const made = (await app.intuit.invoices(ACME)).filter(({ DocNumber }) => DocNumber?.startsWith("N-"));
  expect(made.map(({ CustomerRef }) => CustomerRef.name)).toEqual(["Cool Cars", "Cool Cars"]);
});

test("a name too long for a sentence is shown in full for the choice, and a new customer gets the full name", async () => {
  const app = await startApp();
  const browser = await app.owner(ACME);
  const long = "Department of Transportation and Public Works of the County of Somewhere";
  const upload = async (number: string, customer: string) => {
    await uploadRows(browser, ACME, [invoiceLine(number, { Customer: customer })]);
    return (await settledUploads(browser, ACME)).uploads[0];
  };
  const first = await upload("L-1", `${long}  North`);
  const input = { params: { upload_id: first?.id ?? "" }, query };
  const unknown = (await browser.call(listUnknownNames, input)).json() as {
    names: { text: string }[];
  };
  expect(unknown.names.map(({ text }) => text)).toEqual([`${long} North`]);
  const target = await findId(browser, "customer", "Cool Cars");
  const text = unknown.names[0]?.text ?? "";
  const json = { kind: "customer", text, target_id: target.id };
  await browser.call(contract.chooseName, { query, json });
  expect((await upload("L-1", `${long}  North`))?.counts).toMatchObject({ completed: 1 });
});

test("UP-42 many unknown names are answered a page at a time, in the order of the sheet, with their total", async () => {
  const app = await startApp();
  const browser = await app.owner(ACME);
  const rows = Array.from({ length: 60 }, (_, index) =>
    invoiceLine(`M-${index}`, { Customer: `Trading ${index % 30}`, Item: "Claw Hamer" }),
  );
  await uploadRows(browser, ACME, rows);
  const [upload] = (await settledUploads(browser, ACME)).uploads;
  const read = async (more: { after?: string; limit?: string } = {}) => {
    const asked = { params: { upload_id: upload?.id ?? "" }, query: { ...query, ...more } };
    return (await browser.call(listUnknownNames, asked)).json() as UnknownNames;
  };
  const first = await read();
  expect(first).toMatchObject({ total_count: 31, next: 25 });
  expect(first.names.slice(0, 3)).toMatchObject([
    { text: "Trading 0", rows: "2 and 32", count: 2 },
    { text: "Claw Hamer", count: 60, suggestions: [{ name: "Claw Hammer" }] },
    { text: "Trading 1", rows: "3 and 33", count: 2 },
  ]);
  const rest = await read({ after: "25" });
  expect(rest).toMatchObject({ total_count: 31, next: null });
  const texts = [...first.names, ...rest.names].map(({ text }) => text);
  expect(new Set(texts).size).toBe(31);
  expect(await read({ after: "1", limit: "1" })).toMatchObject({ names: [{ text: "Claw Hamer" }], next: 2 });
});

test("a customer's name may have 500 characters, as many as QuickBooks accepts; a longer one is reported", async () => {
  const app = await startApp();
  const browser = await app.owner(ACME);
  const create = (name: string) =>
    browser.call(contract.createCustomer, { query, json: { name, confirmed: true } });
  const longest = "Public Works ".repeat(50).slice(0, 500);
  expect((await create(longest)).json()).toMatchObject({ name: longest.trim() });
  expect((await create(`${longest}x`)).json()).toMatchObject({
    status: 400,
    detail:
      "A customer's name in QuickBooks can have at most 500 characters, and this one has 501. Shorten it.",
  });
  const customers = await app.intuit.control<{ DisplayName: string }[]>(`books/${ACME}/Customer`);
  expect(customers.filter(({ DisplayName }) => DisplayName.startsWith("Public Works"))).toHaveLength(1);
  await uploadRows(browser, ACME, [invoiceLine("P-1", { Customer: `${longest}x` })]);
  const [upload] = (await settledUploads(browser, ACME)).uploads;
  expect(upload?.results[0]?.message).toMatch(/has 501 characters; QuickBooks allows at most 500\.$/);
  const input = { params: { upload_id: upload?.id ?? "" }, query };
  expect((await browser.call(listUnknownNames, input)).json()).toMatchObject({ total_count: 0 });
});

test("a choice belongs to its company, can be forgotten, and never overrides a name in the books", async () => {
  const app = await startApp();
  const browser = await app.owner(ACME);
  const target = await findId(browser, "customer", "Red Rock");
  const choose = (text: string) =>
    browser.call(contract.chooseName, { query, json: { kind: "customer", text, target_id: target.id } });
  await choose("Cool Cars");
  await choose("RRD");
  await uploadRows(browser, ACME, [invoiceLine("O-1"), invoiceLine("O-2", { Customer: "RRD" })]);
  await settledUploads(browser, ACME);
  const made = (await app.intuit.invoices(ACME)).filter(({ DocNumber }) => DocNumber?.startsWith("O-"));
  expect(Object.fromEntries(made.map((invoice) => [invoice.DocNumber, invoice.CustomerRef.name]))).toEqual({
    "O-1": "Cool Cars",
    "O-2": "Red Rock Diner",
  });
  await browser.call(contract.forgetName, { query: { ...query, kind: "customer", text: "rrd" } });
  const kept = await browser.call(contract.listNameChoices, { query });
  expect(kept.json()).toMatchObject({ names: [{ text: "Cool Cars" }] });
  const other = await app.owner(BAY, "platform@dockside.example");
  expect((await other.call(contract.listNameChoices, { query: { realm_id: BAY } })).json()).toEqual({
    names: [],
  });
});

test("a customer is created only when a user confirms it, and never twice", async () => {
  const app = await startApp();
  const browser = await app.owner(ACME);
  const unticked = await browser.call(contract.createCustomer, { query, json: { name: "Brand New Ltd" } });
  expect(unticked.status).toBe(400);
  const create = () =>
    browser.call(contract.createCustomer, { query, json: { name: "Brand New Ltd", confirmed: true } });
  const [first, second] = [await create(), await create()];
  expect(first.json()).toMatchObject({ name: "Brand New Ltd" });
  expect(second.json()).toEqual(first.json());
  const taken = await browser.call(contract.createCustomer, {
    query,
    json: { name: "Cool Cars", confirmed: true },
  });
  expect(taken.json()).toMatchObject({ status: 409, code: "name_exists" });
  await uploadRows(browser, ACME, [invoiceLine("P-1", { Customer: "Brand New Ltd" })]);
  expect((await settledUploads(browser, ACME)).uploads[0]?.counts).toMatchObject({ completed: 1 });
});

test("Intuit's id of the exchange is kept for a customer that was created, and for one that was refused", async () => {
  const lines: string[] = [];
  const app = await startApp({ log: createLog("warn", { write: (line) => lines.push(line) }) });
  const browser = await app.owner(ACME);
  for (const name of ["Brand New Ltd", "Cool Cars"])
    await browser.call(contract.createCustomer, { query, json: { name, confirmed: true } });
  const { entries } = await app.intuit.control<{ entries: { tid: string }[] }>(
    "journal?operation=customer.create",
  );
  const [created, refused] = entries.map(({ tid }) => tid);
  const { rows } = await sql`select ids ->> 'intuit_tid' as tid from audit_entry
    where action = 'choices.create_customer'`.execute(app.db);
  expect(rows).toEqual([{ tid: created }]);
  expect(lines.filter((line) => line.includes("QuickBooks made no customer")).join("")).toContain(refused);
});

test.each([
  ["renamed", { DisplayName: "Elsewhere Ltd" }],
  ["made inactive", { DisplayName: "Brand New Ltd (deleted)", Active: false }],
])("a customer that was %s since it was created is created again, once", async (_how, change) => {
  const app = await startApp();
  const browser = await app.owner(ACME);
  const create = async () => {
    const json = { name: "Brand New Ltd", confirmed: true };
    const reply = await browser.call(contract.createCustomer, { query, json });
    expect([reply.status, reply.text]).toEqual([200, expect.stringContaining("Brand New Ltd")]);
    return (reply.json() as { id: string }).id;
  };
  const first = await create();
  await app.intuit.control(`books/${ACME}/Customer/${first}`, change);
  const second = await create();
  expect(second).not.toBe(first);
  expect(await create()).toBe(second);
  const customers = await app.intuit.control<{ DisplayName: string }[]>(`books/${ACME}/Customer`);
  expect(customers.filter(({ DisplayName }) => DisplayName === "Brand New Ltd")).toHaveLength(1);
});

test.each([
  ["6190", "Subscription period has ended"],
  ["5020", "You don't have permission to do that"],
])(
  "a customer that QuickBooks won't create until a user does something (%s) is refused with its reason",
  async (code, detail) => {
    const app = await startApp({ worker: false });
    const browser = await app.owner(ACME);
    const match = { operation: "customer.create" };
    await app.intuit.control("faults", [{ fault: "code", code, detail, match }]);
    const json = { name: "Newly Made", confirmed: true };
    const reply = await browser.call(contract.createCustomer, { query, json });
    expect([reply.status, reply.json()]).toEqual([
      409,
      expect.objectContaining({
        code: "books_refused",
        detail: `QuickBooks doesn't let us create customers in this company: ${detail}`,
      }),
    ]);
  },
);

test("a stored token that our key cannot open means reconnecting the company, and is never an internal error", async () => {
  const app = await startApp({ worker: false });
  const browser = await app.owner(ACME);
  const otherKey = parseSealingKeys(`t1:${Buffer.alloc(32, 8).toString("base64")}`);
  const { rows } = await sql<{ id: string }>`select id from intuit_connection`.execute(app.db);
  const sealed = seal(otherKey, rows[0]?.id ?? "", "a token");
  await sql`update intuit_connection
    set access_token_sealed = ${sealed}, refresh_token_sealed = ${sealed}`.execute(app.db);
  const calls = [
    () => browser.call(contract.searchList, { params: { kind: "customer" }, query: { ...query, q: "Cool" } }),
    () => browser.call(downloadTemplate, { query }),
    () =>
      browser.call(contract.chooseName, { query, json: { kind: "customer", text: "Kool", target_id: "3" } }),
    () => browser.call(contract.createCustomer, { query, json: { name: "Newly Made", confirmed: true } }),
  ];
  for (const call of calls) {
    const reply = await call();
    expect([reply.status, reply.json()]).toEqual([
      409,
      expect.objectContaining({ code: "reconnect_needed" }),
    ]);
  }
  const companies = (await browser.call(listCompanies)).json() as { companies: { connection: string }[] };
  expect(companies.companies.map(({ connection }) => connection)).toEqual(["reconnect_needed"]);
  await browser.connect("owner@acme.example", ACME);
  expect((await calls[0]?.())?.status).toBe(200);
});

test("a company has at most 20,000 saved names; a saved one can still be changed or forgotten", async () => {
  const app = await startApp({ worker: false });
  const browser = await app.owner(ACME);
  const target = await findId(browser, "customer", "Cool Cars");
  const choose = (text: string) =>
    browser.call(contract.chooseName, { query, json: { kind: "customer", text, target_id: target.id } });
  expect((await choose("Kool Kars")).status).toBe(200);
  await sql`insert into name_choice (realm_id, kind, name_key, written, target_id, target_name, chosen_by, chosen_at)
    select ${ACME}, 'item', 'n' || n, 'n' || n, '1', 'One', 'x', now() from generate_series(1, 19999) n`.execute(
    app.db,
  );
  expect((await choose("Cool Carz")).json()).toMatchObject({
    status: 409,
    code: "too_many_choices",
    detail:
      "This company has 20,000 saved matches, the most it can have. Forget some of them, then try again.",
  });
  expect((await choose("kool  kars")).status).toBe(200);
  const forgotten = { query: { ...query, kind: "item", text: "n1" } };
  expect((await browser.call(contract.forgetName, forgotten)).status).toBe(200);
  expect((await choose("Cool Carz")).status).toBe(200);
});
