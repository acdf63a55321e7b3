import { createHash } from "node:crypto";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { DOCUMENT_OF_HEADER } from "#contract/files.ts";
import { sql } from "kysely";
import * as apiKeys from "#features/programs/api-keys/contract.ts";
import * as webhooks from "#features/programs/webhooks/contract.ts";
import { disconnectCompany, switchCompany } from "#features/companies/contract.ts";
import {
  changeCarrierSettings,
  createShipment,
  listOpenOrders,
  listShipments,
  type LabelHistory,
  type OpenOrders,
} from "#features/shipping/contract.ts";
import { createLabels } from "#features/labels/contract.ts";
import { addOrders } from "#features/orders/contract.ts";
import { sampleFile } from "#formats/x12/fixtures/sample-orders.ts";
import { listUploads } from "#features/invoices/contract.ts";
import { checkInvoices } from "#features/invoices/check/contract.ts";
import { GROUPS, KEY_SCOPES, type Group, type KeyScope } from "#contract/endpoint.ts";
import type { Browser } from "../support/browser.ts";
import { ACME, BAY, NEWCOMER } from "../support/intuit.ts";
import { labelWorkbook, setUpLabels } from "../support/labels.ts";
import { addMember, grantTracking, removeMember } from "../support/members.ts";
import { CARRIER_SETTINGS, CARTON, linkUps } from "../support/shipping.ts";
import type { TestApp } from "../support/start-app.ts";
import { uploadRows } from "../support/uploads.ts";
import { invoiceRows, invoiceWorkbook } from "../support/workbooks.ts";

/** Every choice of groups but all of them, as the part of an e-mail. */
export const FEWER_GROUPS: Readonly<Record<string, readonly Group[]>> = {
  "no-group": [],
  ...Object.fromEntries(GROUPS.map((group) => [`only-${group}`, [group]])),
  ...Object.fromEntries(GROUPS.map((group) => [`all-but-${group}`, GROUPS.filter((each) => each !== group)])),
};

/** The callers. Those not listed with groups have all of them, so that only the company decides. */
export type World = {
  app: TestApp;
  /** Cookies by who they are of. */
  cookies: Readonly<Record<string, string>>;
  /** Secrets of API keys, by what they are of. */
  keys: Readonly<Record<string, string>>;
  /** Objects of Acme Tools, by the name of the parameter that takes their id. */
  acmes: Readonly<Record<string, readonly string[]>>;
};

const emailFor = (name: string) => `${name}@acme.example`;

/**
 * Acme Tools with its admin, a member and members of fewer groups; a user removed from it, in two browsers that still
 * have it as their company; another company's admin; the admin of a disconnected company; a user without any. Acme's
 * admin works in the other company too.
 */
export async function createWorld(app: TestApp): Promise<World> {
  const groupNames = Object.keys(FEWER_GROUPS);
  const users = ["removed", ...groupNames].map((name) => ({ sub: `sub-${name}`, email: emailFor(name) }));
  await app.intuit.control("seed", { users });
  const signedIn = async (email: string): Promise<Browser> => {
    const browser = app.browser();
    await browser.signIn(email);
    return browser;
  };
  const browsers = {
    admin: await app.owner(ACME),
    stranger: await app.owner(BAY, "platform@dockside.example"),
    disconnected: await app.owner(NEWCOMER, "new@newcomer.example"),
    member: await signedIn("clerk@acme.example"),
    outsider: await signedIn("plain@acme.example"),
    removed: await signedIn(emailFor("removed")),
    "removed elsewhere": await signedIn(emailFor("removed")),
    "signed out": await signedIn(emailFor("removed")),
    ...Object.fromEntries(
      await Promise.all(groupNames.map(async (name) => [name, await signedIn(emailFor(name))] as const)),
    ),
  } satisfies Record<string, Browser>;
  await sql`update app_user set groups = ${[...GROUPS]}::text[]`.execute(app.db);
  for (const email of ["clerk@acme.example", emailFor("removed"), ...groupNames.map(emailFor)])
    await addMember(app.db, ACME, email);
  await addMember(app.db, BAY, "owner@acme.example");
  for (const name of ["admin", "removed", "removed elsewhere"] as const)
    await browsers[name].call(switchCompany, { query: { realm_id: ACME } });
  await removeMember(app.db, emailFor("removed"));
  const keys = await makeKeys(app, browsers);
  await browsers.disconnected.call(disconnectCompany, { query: { realm_id: NEWCOMER } });
  const uploads = await addUploads(browsers.admin);
  const orders = await addLabels(app, browsers.admin);
  const acmes = {
    upload_id: uploads,
    fixes: uploads,
    key_id: [keys.acmeId],
    ...(await addWebhook(browsers.admin)),
    ...orders,
    ...(await addTracked(app)),
    grant_id: [await addSupportGrant(app)],
    export_id: [await addExport(app)],
  };
  const cookies = Object.fromEntries(
    Object.entries(browsers).map(([name, { cookies }]) => [
      name,
      [...cookies].map((pair) => pair.join("=")).join("; "),
    ]),
  );
  await browsers["signed out"].request("/logout/");
  for (const [name, groups] of Object.entries(FEWER_GROUPS))
    await sql`update app_user set groups = ${[...groups]}::text[] where email = ${emailFor(name)}`.execute(
      app.db,
    );
  return { app, cookies, keys, acmes };
}

/** API keys of three companies with all scopes, a revoked one, and one of Acme for each scope. */
async function makeKeys(
  app: TestApp,
  { admin, stranger, disconnected }: Record<"admin" | "stranger" | "disconnected", Browser>,
) {
  const make = async (browser: Browser, realm_id: string, name: string, scopes?: readonly KeyScope[]) => {
    const json = { name, scopes: scopes ?? KEY_SCOPES };
    const reply = await browser.call(apiKeys.makeKey, { query: { realm_id }, json });
    if (reply.status !== 200) throw new Error(`No key was made: ${reply.text}`);
    return reply.json() as { key: apiKeys.ApiKey; secret: string };
  };
  const [acme, revoked] = [await make(admin, ACME, "Acme"), await make(admin, ACME, "Revoked")];
  const narrow = KEY_SCOPES.map(
    async (scope) => [scope, (await make(admin, ACME, scope, [scope])).secret] as const,
  );
  await admin.call(apiKeys.revokeKey, { query: { realm_id: ACME, key_id: revoked.key.id } });
  const bay = (await make(stranger, BAY, "Bay")).secret;
  // Its first use is noted; the cases' own are not, because their clock is stopped.
  await app.browser().call(listUploads, { headers: { authorization: `Bearer ${bay}` } });
  return {
    ...Object.fromEntries(await Promise.all(narrow)),
    acmeId: acme.key.id,
    acme: acme.secret,
    revoked: revoked.secret,
    bay,
    disconnected: (await make(disconnected, NEWCOMER, "Newcomer")).secret,
  };
}

/** A webhook of Acme Tools, and a message to it. */
async function addWebhook(admin: Browser): Promise<{ endpoint_id: string[]; message_id: string[] }> {
  const query = { realm_id: ACME };
  const json = { url: "http://127.0.0.1:9/", events: ["upload.finished"] };
  const added = await admin.call(webhooks.addWebhook, { query, json });
  if (added.status !== 200) throw new Error(`No webhook was added: ${added.text}`);
  const { id } = (added.json() as { webhook: webhooks.Webhook }).webhook;
  const sent = await admin.call(webhooks.testWebhook, { query: { ...query, endpoint_id: id } });
  return { endpoint_id: [id], message_id: [(sent.json() as webhooks.WebhookMessage).id] };
}

/** An upload, a check and labels of Acme Tools. */
async function addUploads(admin: Browser): Promise<string[]> {
  const upload = await uploadRows(admin, ACME, invoiceRows(2, { prefix: "ISO" }));
  const file = { name: "check.xlsx", bytes: await invoiceWorkbook(invoiceRows(2, { prefix: "CHK" })) };
  const check = await admin.call(checkInvoices, { query: { realm_id: ACME }, file });
  await setUpLabels(admin);
  const sheet = { name: "labels.xlsx", bytes: await labelWorkbook([{}]) };
  const labels = await admin.call(createLabels, {
    headers: { "x-realm-id": ACME },
    file: sheet,
  });
  return [
    ...[upload, check].map((reply) => (reply.json() as { id: string }).id),
    labels.headers.get(DOCUMENT_OF_HEADER) ?? "",
  ];
}

/** An order of Acme Tools with UPS labels. */
async function addLabels(app: TestApp, admin: Browser) {
  await grantTracking(app.db, ACME);
  await linkUps(app, admin);
  await admin.call(changeCarrierSettings, { query: { realm_id: ACME }, json: CARRIER_SETTINGS });
  const file = { name: "orders.edi", bytes: Buffer.from(sampleFile()) };
  await admin.call(addOrders, { query: { realm_id: ACME }, file });
  const { open } = (await admin.call(listOpenOrders, { query: { realm_id: ACME } })).json() as OpenOrders;
  const json = { po_number: "80001", cartons: [CARTON] };
  const made = await admin.call(createShipment, { query: { realm_id: ACME }, json });
  if (made.status !== 200) throw new Error(`No labels were made: ${made.text}`);
  const { labels } = (await admin.call(listShipments, { query: { realm_id: ACME } })).json() as LabelHistory;
  const [label] = labels;
  return {
    po_number: ["80001"],
    order_id: open.map(({ id }) => id),
    shipment: [label?.shipment ?? ""],
    // Purchase whose packing slip is read.
    id: [label?.id ?? ""],
    tracking_number: [...(label?.tracking_numbers ?? [])],
    filename: [label?.label_file ?? "", label?.packing_slip_file ?? ""],
  };
}

/** A grant under which an operator may open files of Acme Tools. */
async function addSupportGrant({ db }: TestApp): Promise<string> {
  const { rows } = await sql<{
    id: string;
  }>`insert into support_grant (realm_id, id, user_id, reason, started_at, ends_at)
    select ${ACME}, gen_random_uuid(), id, 'A question', now(), now() + interval '1 day' from app_user
    where email = 'platform@dockside.example' returning id`.execute(db);
  return rows[0]?.id ?? "";
}

/** An export of Acme Tools that is made. */
async function addExport({ db, application }: TestApp): Promise<string> {
  const { rows } = await sql<{
    id: string;
  }>`insert into company_export (realm_id, id, state, requested_by, requested_at,
      parts, size_bytes, sha256, ended_at, expires_at)
    values (${ACME}, gen_random_uuid(), 'made', 'owner@acme.example', now(), 1, 3, '', now(), now() + interval '1 day')
    returning id`.execute(db);
  const id = rows[0]?.id ?? "";
  const received = await application.invoices.objects.receive(Readable.from([Buffer.from("tar")]));
  await received.keep(`exports/${ACME}-${id}.0`);
  return id;
}

/** An invoice of Acme Tools with a delivered package and its proof. */
async function addTracked({ db }: TestApp) {
  const [invoice, number] = ["77001", "1Z12345E0205271688"];
  await sql`insert into tracking_company (realm_id, reads_left, reads_at) values (${ACME}, 0, now())
    on conflict do nothing`.execute(db);
  await sql`insert into tracked_invoice (realm_id, qbo_id, sync_token, number, customer, txn_date, ship_via, tracking_text, keys)
    values (${ACME}, ${invoice}, '0', 'ISO-1', 'A customer', '2026-11-20', '', ${number}, '{}')`.execute(db);
  await sql`insert into package (realm_id, number, of_invoice, state, added_at)
    values (${ACME}, ${number}, true, 'delivered', now())`.execute(db);
  await sql`insert into tracked_proof (realm_id, number, state, pdf)
    values (${ACME}, ${number}, 'carrier', '%PDF')`.execute(db);
  await sql`insert into tracked_invoice_package (realm_id, qbo_id, number, seq, in_books)
    values (${ACME}, ${invoice}, ${number}, 1, true)`.execute(db);
  return { invoice_id: [invoice], number: [number] };
}

/** A digest of everything that a call could change: every row of every table, the stored files, and what Intuit was asked. */
export async function digestAll({ app }: World): Promise<Record<string, string>> {
  const { rows: tables } = await sql<{ name: string }>`select oid::regclass::text as name from pg_class
    where relkind = 'r' and relnamespace <> all ('{pg_catalog,information_schema}'::regnamespace[])`.execute(
    app.db,
  );
  const digests: Record<string, string> = {};
  for (const { name } of tables) {
    const { rows } = await sql<{ digest: string }>`select count(*) || ' ' ||
      md5(coalesce(string_agg(t::text, ',' order by t::text), '')) as digest from ${sql.raw(name)} t`.execute(
      app.db,
    );
    digests[name] = rows[0]?.digest ?? "";
  }
  const files = await readdir(join(app.config.dataDir, "objects"), { recursive: true });
  const { entries } = await app.intuit.control<{ entries: unknown[] }>("journal");
  const hash = (value: unknown) => createHash("sha256").update(JSON.stringify(value)).digest("hex");
  return { ...digests, "stored files": hash(files.sort()), "calls to Intuit": String(entries.length) };
}
