import { expect, test } from "vitest";
import { GROUPS, KEY_SCOPES, type Group, type KeyScope } from "#contract/endpoint.ts";
import * as keys from "#features/programs/api-keys/contract.ts";
import {
  listUploadResults,
  listUploads,
  postInvoices,
  type UploadList,
  type UploadResult,
  type UploadSummary,
} from "#features/invoices/contract.ts";
import { readReceipt } from "#features/invoices/receipt/contract.ts";
import { changeUser } from "#features/admin/contract.ts";
import { handOver, removeUser } from "#features/companies/contract.ts";
import { listLabelUploads } from "#features/labels/contract.ts";
import { listOpenOrders } from "#features/shipping/contract.ts";
import { takeOrders } from "#features/orders/api/contract.ts";
import type { Browser } from "../../../../test/support/browser.ts";
import { ACME } from "../../../../test/support/intuit.ts";
import { joinAs, setGroups } from "../../../../test/support/members.ts";
import { startApp } from "../../../../test/support/start-app.ts";
import { settledUploads } from "../../../../test/support/uploads.ts";
import { invoiceRows, invoiceWorkbook } from "../../../../test/support/workbooks.ts";

/** The header of a program with a new key. */
async function withKey(browser: Browser, name: string, scopes?: KeyScope[]) {
  const json = { name, ...(scopes ? { scopes } : {}) };
  const reply = await browser.call(keys.makeKey, { query: { realm_id: ACME }, json });
  expect(reply.status, reply.text).toBe(200);
  const { key, secret } = reply.json() as { key: keys.ApiKey; secret: string };
  return { key, headers: { authorization: `Bearer ${secret}`, origin: "" } };
}

test("OI-12 a program with the scope upload posts a workbook and reads its results, without a cookie or the company's id", async () => {
  const app = await startApp();
  const owner = await app.owner(ACME);
  const { headers } = await withKey(owner, "ERP", ["upload"]);
  const program = app.browser();
  const file = { name: "erp.xlsx", bytes: await invoiceWorkbook(invoiceRows(2, { prefix: "K" })) };
  const posted = await program.call(postInvoices, { headers, file });
  expect(posted.status, posted.text).toBe(202);
  const params = { upload_id: (posted.json() as UploadSummary).id };
  await settledUploads(owner, ACME);
  const { results } = (await program.call(listUploadResults, { params, headers })).json() as {
    results: UploadResult[];
  };
  expect(results.map(({ status, rows }) => [status, rows])).toEqual([[0, "2-3"]]);
  const receipt = await program.call(readReceipt, { params, headers });
  expect(receipt.json()).toMatchObject({ agrees: true, uploaded_by: "API key ERP" });
  const { uploads } = (await owner.call(listUploads, { query: { realm_id: ACME } })).json() as UploadList;
  expect(uploads.map(({ uploaded_by }) => uploaded_by)).toEqual(["API key ERP"]);
});

test("OI-12 a key does only what it is for; a key made before scopes existed adds orders", async () => {
  const app = await startApp({ worker: false });
  const owner = await app.owner(ACME);
  const made = {
    upload: await withKey(owner, "Upload", ["upload"]),
    read: await withKey(owner, "Read", ["read"]),
    orders: await withKey(owner, "Orders"),
  };
  const program = app.browser();
  const file = { name: "erp.xlsx", bytes: await invoiceWorkbook(invoiceRows(1, { prefix: "L" })) };
  const statuses = async ({ headers }: { headers: Record<string, string> }) => [
    (await program.call(postInvoices, { headers, file })).status,
    (await program.call(listUploads, { headers })).status,
    (await program.call(listOpenOrders, { headers })).status,
    (await program.call(takeOrders, { headers, json: { po_number: "1" } })).status,
  ];
  expect(await statuses(made.upload)).toEqual([202, 403, 403, 403]);
  expect(await statuses(made.read)).toEqual([403, 200, 200, 403]);
  expect(await statuses(made.orders)).toEqual([403, 403, 403, 200]);
  expect(made.orders.key.scopes).toEqual(["orders"]);
  const refused = await program.call(postInvoices, { headers: made.read.headers, file });
  expect(refused.json()).toMatchObject({
    code: "missing_scope",
    detail:
      "This call needs an API key that may do this: upload. The company's admin creates one in Settings.",
  });
});

test("OI-12 a session still works behind a proxy that asks for a password of its own, and no scope opens other calls", async () => {
  const app = await startApp({ worker: false });
  const owner = await app.owner(ACME);
  const proxied = { authorization: "Basic dXNlcjpwYXNz" };
  expect((await owner.call(listUploads, { query: { realm_id: ACME }, headers: proxied })).status).toBe(200);
  const { headers } = await withKey(owner, "All", ["upload", "read", "orders"]);
  expect((await app.browser().call(keys.listKeys, { query: { realm_id: ACME }, headers })).status).toBe(401);
});

test.each<{
  area: string;
  group: Group;
  scope: KeyScope;
  calls: readonly ("invoices" | "orders" | "labels" | "add")[];
}>([
  { area: "Labels", group: "brainchild", scope: "orders", calls: ["orders", "labels", "add"] },
  { area: "Invoices", group: "app", scope: "upload", calls: ["invoices"] },
])(
  "OI-12 an API key opens no part of the product that is closed to the user who made it: $area",
  async ({ area, group, scope, calls }) => {
    const app = await startApp({ worker: false });
    const owner = await app.owner(ACME);
    await setGroups(app.db, [...GROUPS]);
    const { headers } = await withKey(owner, "All", [...KEY_SCOPES]);
    const program = app.browser();
    const call = {
      invoices: () => program.call(listUploads, { headers }),
      orders: () => program.call(listOpenOrders, { headers }),
      labels: () => program.call(listLabelUploads, { headers }),
      add: () => program.call(takeOrders, { headers, json: { po_number: "1" } }),
    };
    const statuses = async () =>
      Promise.all(Object.entries(call).map(async ([name, make]) => [name, (await make()).status]));
    const closed = Object.keys(call).map((name) => [name, calls.some((each) => each === name) ? 403 : 200]);
    expect(await statuses()).toEqual(Object.keys(call).map((name) => [name, 200]));
    await setGroups(
      app.db,
      GROUPS.filter((each) => each !== group),
    );
    expect(await statuses()).toEqual(closed);
    expect((await call[calls[0]!]()).json()).toMatchObject({
      code: "missing_group",
      detail: `The user who made this API key doesn't have access to ${area}. Ask a company admin who has it for a key.`,
    });
    const make = (scopes: readonly KeyScope[]) =>
      owner.call(keys.makeKey, { query: { realm_id: ACME }, json: { name: scopes.join(), scopes } });
    expect((await make(["read", scope])).json()).toMatchObject({
      code: "missing_group",
      detail: `You don't have access to ${area}. Ask your administrator or contact us.`,
    });
    expect((await make(KEY_SCOPES.filter((each) => each !== scope))).status).toBe(200);
    await setGroups(app.db, [...GROUPS]);
    expect((await make([scope])).status).toBe(200);
    expect(await statuses()).toEqual(Object.keys(call).map((name) => [name, 200]));
  },
);

test("OI-12 a key opens nothing while the user who made it is blocked; it stays the company's when they are removed from it", async () => {
  const app = await startApp({ worker: false });
  const owner = await app.owner(ACME);
  const email = "platform@dockside.example";
  const next = await joinAs(app, owner, { realmId: ACME, email });
  await setGroups(app.db, [...GROUPS]);
  const { headers } = await withKey(owner, "All", [...KEY_SCOPES]);
  const program = app.browser();
  const statuses = async () => [
    (await program.call(listUploads, { headers })).status,
    (await program.call(listOpenOrders, { headers })).status,
    (await program.call(takeOrders, { headers, json: { po_number: "1" } })).status,
  ];
  const maker = "owner@acme.example";
  const change = async (to: "block" | "unblock") => {
    const json = { email: maker, change: to, reason: "It was asked for" };
    expect((await next.call(changeUser, { json })).status).toBe(200);
  };
  const query = { realm_id: ACME };
  expect((await owner.call(handOver, { query: { ...query, email } })).status).toBe(200);
  await change("block");
  expect(await statuses()).toEqual([403, 403, 403]);
  await change("unblock");
  expect((await next.call(removeUser, { query: { ...query, email: maker } })).status).toBe(200);
  expect(await statuses()).toEqual([200, 200, 200]);
});
