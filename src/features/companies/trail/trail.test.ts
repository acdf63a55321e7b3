import { auditBy } from "#features/audit/index.ts";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { changeSettings, switchCompany } from "#features/companies/contract.ts";
import { downloadTrail, listTrail, type TrailEntry } from "#features/companies/trail/contract.ts";
import type { Browser } from "../../../../test/support/browser.ts";
import { steppedClock } from "../../../../test/support/stepped-clock.ts";
import { ACME, BAY } from "../../../../test/support/intuit.ts";
import { grantTracking } from "../../../../test/support/members.ts";
import { startApp } from "../../../../test/support/start-app.ts";

type Page = { entries: TrailEntry[]; next: string | null };

const read = async (browser: Browser, query: Record<string, string> = {}): Promise<Page> => {
  const reply = await browser.call(listTrail, { query: { realm_id: ACME, ...query } });
  expect(reply.status, reply.text).toBe(200);
  return reply.json() as Page;
};

test("SE-26 the company admin reads who changed what, and nothing about other companies", async () => {
  const app = await startApp({ worker: false });
  await app.owner(BAY, "platform@dockside.example");
  const owner = await app.owner(ACME);
  await grantTracking(app.db, ACME);
  await owner.call(changeSettings, { query: { realm_id: ACME }, json: { invoice_lookback: 45 } });
  await owner.call(switchCompany, { query: { realm_id: ACME } });
  const { entries, next } = await read(owner);
  expect(next).toBeNull();
  expect(entries.map(({ title, user, changes }) => [title, user, changes])).toEqual([
    ["Switched to the company", "owner@acme.example", []],
    ["Changed settings", "owner@acme.example", [{ name: "invoice lookback", before: "30", after: "45" }]],
    ["Connected the company", "owner@acme.example", []],
  ]);
});

test("SE-26 the trail is searched by user, title and values, with pattern characters taken literally", async () => {
  const app = await startApp({ worker: false });
  const owner = await app.owner(ACME);
  const change = (email: string) =>
    owner.call(changeSettings, { query: { realm_id: ACME }, json: { contact_email: email } });
  for (const name of ["a_b", "axb", "ops"]) await change(`${name}@acme.example`);
  const titles = async (search: string) => (await read(owner, { search })).entries.map(({ title }) => title);
  expect(await titles("OWNER@acme")).toHaveLength(4);
  expect(await titles("connected the")).toEqual(["Connected the company"]);
  expect(await titles("%")).toEqual([]);
  expect(await titles("a_b")).toHaveLength(2);
});

test("SE-26 each page continues after the last one, even among entries of one moment and while entries are added", async () => {
  const now = new Date("2026-11-20T10:00:00.123Z");
  const app = await startApp({ worker: false });
  const owner = await app.owner(ACME);
  await sql`insert into audit_entry (realm_id, at, id, action, ids, request_id)
    select ${ACME}, ${now}, gen_random_uuid(), 'companies.switch', jsonb_build_object('n', n), 'r' from generate_series(1, 25) n`.execute(
    app.db,
  );
  const ids: string[] = [];
  let before: string | null = null;
  do {
    const page: Page = await read(owner, { limit: "10", ...(before === null ? {} : { before }) });
    ids.push(...page.entries.map(({ id }) => id));
    before = page.next;
    await owner.call(switchCompany, { query: { realm_id: ACME } });
  } while (before !== null);
  expect(ids).toHaveLength(26);
  expect(new Set(ids).size).toBe(26);
});

test("SE-26 an entry names the values that changed, and where none did, what they are", async () => {
  const app = await startApp({ worker: false });
  const owner = await app.owner(ACME);
  const add = (before: object, after: object) =>
    sql`insert into audit_entry (realm_id, at, id, action, ids, before, after, request_id)
      values (${ACME}, ${app.clock.now()}, gen_random_uuid(), 'companies.change_settings', '{}',
        ${JSON.stringify(before)}, ${JSON.stringify(after)}, 'r')`.execute(app.db);
  const changes = async () => (await read(owner, { search: "changed settings" })).entries[0]?.changes;
  await add({ paper: "letter", reason: "stock", blank: "" }, { paper: "letter", reason: "", blank: "" });
  expect(await changes()).toEqual([{ name: "reason", before: "stock", after: "" }]);
  app.clock.advance(1_000);
  await add({ account: "1A2B3C" }, { account: "1A2B3C" });
  expect(await changes()).toEqual([{ name: "account", before: null, after: "1A2B3C" }]);
});

test("SE-26 an invalid page position is refused with a sentence", async () => {
  const app = await startApp({ worker: false });
  const owner = await app.owner(ACME);
  for (const before of ["1", `1.${"-".repeat(36)}`, `1.${"a".repeat(36)}`, `1.${crypto.randomUUID()}0`]) {
    const reply = await owner.call(listTrail, { query: { realm_id: ACME, before } });
    expect(reply.json()).toMatchObject({
      status: 400,
      detail: 'The query parameter "before" must be the next of another page.',
    });
  }
});

test("SE-26 the CSV has every entry of the search, and no cell that a spreadsheet would evaluate", async () => {
  const app = await startApp({ worker: false });
  const owner = await app.owner(ACME);
  await sql`insert into audit_entry (realm_id, at, id, action, ids, after, request_id)
    select ${ACME}, ${app.clock.now()}, gen_random_uuid(), 'companies.switch', '{}', jsonb_build_object('=cmd', 'x,"y"'), '=1+1'
    from generate_series(1, 1500) n`.execute(app.db);
  const bytes = await owner.download(downloadTrail, { query: { realm_id: ACME } });
  const lines = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes).trimEnd().split("\r\n");
  expect(lines[0]).toBe("\ufeffTime (UTC),User,What,Before,After,Request ID");
  expect(lines).toHaveLength(1 + 1_500 + 1);
  expect(lines[1]).toMatch(/^[^,]+,,Switched to the company,,"'=cmd: x,""y""",'=1\+1$/);
  const found = await owner.request(
    `/api/v1/company/trail/csv?${new URLSearchParams({ realm_id: ACME, search: "connected the" })}`,
  );
  expect(found.headers.get("content-disposition")).toBe('attachment; filename="audit-trail.csv"');
  expect(found.text.trimEnd().split("\r\n")).toHaveLength(2);
});

test("UO-16 a caller who leaves a download before its end isn't a failure of ours", async () => {
  const app = await startApp({ worker: false });
  const owner = await app.owner(ACME);
  const cookie = [...owner.cookies].map((pair) => pair.join("=")).join("; ");
  const stop = new AbortController();
  const { status } = await fetch(new URL(`${downloadTrail.path}?realm_id=${ACME}`, app.url), {
    headers: { cookie, connection: "close" },
    signal: stop.signal,
  });
  stop.abort();
  await app.settle();
  expect(status).toBe(200);
  expect((await sql`select title, event from error_report`.execute(app.db)).rows).toEqual([]);
});

test("SE-26 the trail says in sentences what was done to what, without codes or JSON", async () => {
  const clock = steppedClock();
  const app = await startApp({ worker: false, clock });
  const owner = await app.owner(ACME);
  const audit = (action: `${string}.${string}`, after: Record<string, unknown>) => {
    clock.advance(1_000);
    return auditBy(app.application.ctx, { userId: null, realmId: ACME, requestId: "r" }).audit(app.db, {
      action,
      after,
    });
  };
  await audit("choices.choose_name", {
    kind: "term",
    text: "30 days",
    target_id: "4",
    target_name: "Net 30",
  });
  await audit("invoices.check", { file: "messy.xlsx", mode: "invoice" });
  await audit("check.again", {
    cells: [{ row: 2, field: "rate", value: "1" }],
    invoices: [{ row: 9, is_left_out: true }],
  });
  await audit("choices.choose_columns", {
    sheet: "invoices",
    columns: [{ header: "When", field: "invoiceDate" }],
    values: [{ field: "item", value: "Services" }],
  });
  await audit("labels.make", { file: "one.xlsx", labels: 1 });
  await audit("labels.print_again", { file: "ten.xlsx", labels: 10 });
  const { entries } = await read(owner);
  expect(entries.slice(0, 6).map(({ title, changes }) => [title, changes])).toEqual([
    ["Reprinted 10 labels from ten.xlsx", []],
    ["Made 1 label from one.xlsx", []],
    ['Matched "When" to invoice date and files without item to "Services"', []],
    ["Corrected 1 cell and left out 1 invoice", []],
    ["Reviewed messy.xlsx", []],
    ['Matched "30 days" to Net 30', []],
  ]);
});
