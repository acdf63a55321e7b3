import { DOCUMENT_OF_HEADER } from "#contract/files.ts";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import type { Endpoint } from "#contract/endpoint.ts";
import { listTrail } from "#features/companies/trail/contract.ts";
import * as admin from "#features/admin/contract.ts";
import * as billing from "#features/billing/contract.ts";
import * as carrier from "#features/carrier/contract.ts";
import * as apiKeys from "#features/programs/api-keys/contract.ts";
import * as webhooks from "#features/programs/webhooks/contract.ts";
import * as dataExport from "#features/companies/data-export/contract.ts";
import * as support from "#features/companies/support/contract.ts";
import * as companies from "#features/companies/contract.ts";
import { getUser, signOutDevices } from "#features/identity/contract.ts";
import * as check from "#features/invoices/check/contract.ts";
import * as names from "#features/books/names/contract.ts";
import * as workbook from "#features/invoices/workbook/contract.ts";
import * as invoices from "#features/invoices/contract.ts";
import * as post from "#features/invoices/post/contract.ts";
import * as undo from "#features/invoices/undo/contract.ts";
import * as shipping from "#features/shipping/contract.ts";
import type { LabelHistory, OpenOrder, OpenOrders } from "#features/shipping/contract.ts";
import * as labels from "#features/labels/contract.ts";
import * as folders from "#features/orders/folders/contract.ts";
import { takeOrders } from "#features/orders/api/contract.ts";
import * as notices from "#features/orders/notices-out/contract.ts";
import * as orders from "#features/orders/contract.ts";
import * as thread from "#features/order-invoices/contract.ts";
import { sampleFile, sampleOrder } from "#formats/x12/fixtures/sample-orders.ts";
import * as tracking from "#features/tracking/contract.ts";
import * as health from "#features/health/contract.ts";
import * as legal from "#features/legal/contract.ts";
import { ENDPOINTS } from "../../src/main/endpoints.ts";
import type { Browser, Reply } from "../support/browser.ts";
import { checkRows } from "../support/checks.ts";
import { ACME, liftLimits } from "../support/intuit.ts";
import { makeLabelSettings, labelWorkbook } from "../support/labels.ts";
import { addMember, grantTracking, setGroups } from "../support/members.ts";
import { CARRIER_SETTINGS, CARTON, linkUps, SHIP_TO } from "../support/shipping.ts";
import { startApp, type TestApp } from "../support/start-app.ts";
import { settledUploads, uploadRows } from "../support/uploads.ts";
import { invoiceRows, invoiceWorkbook } from "../support/workbooks.ts";
import { changesState, callName } from "./walk-endpoints.ts";

const OWNER = "owner@acme.example";
const RUN = "00000000-0000-4000-8000-00000000a0d1";
const ABOUT = { query: { realm_id: ACME } };

const grant = { realm_id: ACME, service: "tracking", state: "active", reason: "A trial" };

const aboutUser = (email: string) => ({ query: { realm_id: ACME, email } });

type Entry = {
  realm_id: string;
  email: string | null;
  action: string;
  ids: Record<string, unknown>;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
  request_id: string;
};

/** The complete trail, the oldest first. */
async function readTrail(app: TestApp): Promise<Entry[]> {
  const { rows } =
    await sql<Entry>`select a.realm_id, u.email, a.action, a.ids, a.before, a.after, a.request_id
    from audit_entry a left join app_user u on u.id = a.user_id order by a.at, a.id`.execute(app.db);
  return rows;
}

const makeFile = async (prefix: string) => ({
  name: "audit.xlsx",
  bytes: await invoiceWorkbook(invoiceRows(2, { prefix })),
});

/** A call on a finished check of a file of its own. */
const callOnCheck = async (browser: Browser, endpoint: Endpoint, prefix: string, json?: object) => {
  const { id, revision } = await checkRows(browser, ACME, { rows: invoiceRows(2, { prefix }) });
  const query = { realm_id: ACME, revision: `${revision}` };
  return () => browser.call(endpoint, { params: { upload_id: id }, query, ...(json ? { json } : {}) });
};

/** A call on labels that were made before. */
const callOnLabels = async (browser: Browser, endpoint: Endpoint, json: object) => {
  const file = { name: "prints.xlsx", bytes: await labelWorkbook([{ Cartons: 2, "PO Number": "prints" }]) };
  const made = await browser.call(labels.createLabels, { ...ABOUT, file });
  const params = { upload_id: made.headers.get(DOCUMENT_OF_HEADER) ?? "" };
  return () => browser.call(endpoint, { ...ABOUT, params, json });
};

/** Adds a document of an invoice, without the invoice: its number in QuickBooks is the order's. */
const addInvoiceNotice = async (
  app: TestApp,
  { orderId, poNumber, state }: { orderId: string; poNumber: string; state: "sent" | "rejected" },
): Promise<string> => {
  const notice = crypto.randomUUID();
  const invoice = { id: poNumber, number: poNumber, date: "2026-11-27", lines: [], total: "0.00" };
  await sql`insert into order_notice (realm_id, id, order_id, kind, partner, document, po_number, facts, state, created_at, due_at, problems)
    values (${ABOUT.query.realm_id}, ${notice}, ${orderId}, 'invoice', 'retailer', '810', ${poNumber},
      ${JSON.stringify({ attempt: 1, invoice })}, ${state}, now(), now(), '[]')`.execute(app.db);
  return notice;
};

/** Orders of the sample file that only one call of this test uses, by number. */
const addOrder = async (browser: Browser, number: number): Promise<OpenOrder> => {
  const bytes = Buffer.from(sampleFile({ sets: [sampleOrder(number)] }));
  await browser.call(orders.addOrders, { ...ABOUT, file: { name: "orders.edi", bytes } });
  const { open } = (await browser.call(shipping.listOpenOrders, ABOUT)).json() as OpenOrders;
  const order = open.find(({ po_number }) => po_number === `8000${number}`);
  if (!order) throw new Error(`Order ${number} is missing.`);
  return order;
};

/** Lets UPS labels be made, once. */
const setUpShipping = async (browser: Browser, app: TestApp) => {
  await grantTracking(app.db, ACME);
  await linkUps(app, browser);
  await browser.call(shipping.changeCarrierSettings, { ...ABOUT, json: CARRIER_SETTINGS });
};

const makeLabels = async (browser: Browser, app: TestApp, number: number, cartons = [CARTON]) => {
  await setUpShipping(browser, app);
  const order = await addOrder(browser, number);
  const json = { po_number: order.po_number, cartons };
  const reply = await browser.call(shipping.createShipment, { ...ABOUT, json });
  const { labels: made } = (await browser.call(shipping.listShipments, ABOUT)).json() as LabelHistory;
  return { order, reply, made: made.find(({ po_number }) => po_number === order.po_number) };
};

const findEntry = async (browser: Browser, kind: "customer" | "item", q: string): Promise<string> => {
  const query = { ...ABOUT.query, q };
  const reply = await browser.call(thread.searchMatches, { params: { kind }, query });
  const [entry] = (reply.json() as { entries: { id: string }[] }).entries;
  return entry?.id ?? "";
};

/** An order whose ship notice has left, and whose invoice is ready to post. */
const draftInvoice = async (browser: Browser, app: TestApp, number: number) => {
  const { order } = await makeLabels(browser, app, number);
  const item = await findEntry(browser, "item", "");
  const names = [
    {
      partner: "retailer",
      kind: "customer",
      written: "",
      target_id: await findEntry(browser, "customer", "Cool Cars"),
    },
    ...order.lines.map(({ sku }) => ({ partner: "retailer", kind: "item", written: sku, target_id: item })),
  ];
  for (const json of names) await browser.call(thread.chooseMatch, { ...ABOUT, json });
  await sql`update order_notice set state = 'sent', tried_at = now(), sent_at = now() where order_id = ${order.id}`.execute(
    app.db,
  );
  const query = { ...ABOUT.query, order_id: order.id };
  await browser.call(thread.readThread, { query });
  await sql`update order_invoice set answers = '{"price": ["1", "2"]}' where order_id = ${order.id}`.execute(
    app.db,
  );
  const { invoices: drafts } = (await browser.call(thread.readThread, { query })).json() as {
    invoices: { id: string; about: string }[];
  };
  return { order: order.id, id: drafts[0]?.id, about: drafts[0]?.about };
};

const trailOfShipping = (format: string) => ({
  billing: "third_party",
  billing_account: "R9H77W",
  billing_zip: "30339",
  cancel_reason: "out_of_stock",
  label_format: format,
  slip_paper: "letter",
  presets: 0,
  ship_from: "Acme Tools, 503-555-0100, 9 Wharf Road, Portland, OR, 97209",
  vendor_number: "",
});

const INVITATION = "00000000-0000-4000-8000-00000000000a";

const CELLS = [{ row: 2, field: "qty", value: "3" }];

const offeredPrice = async (browser: Browser): Promise<string> => {
  const reply = (await browser.call(billing.listSubscriptions, ABOUT)).json();
  return (reply as { price_id: string }[])[0]!.price_id;
};

const columns = [{ header: "Sold to", field: "customer" }];
const orderColumns = [{ header: "Buyer part", field: "sku" }];
const labelColumns = [{ header: "Order", field: "poNumber" }];

const trailOfLabels = (more: object) => ({
  prefix: "0614141",
  other_prefixes: [],
  extension: 0,
  profile: "generic",
  paper: "roll",
  order: "file",
  separators: false,
  ship_froms: ["OAK"],
  ...more,
});

const makeKey = (browser: Browser, name: string) =>
  browser.call(apiKeys.makeKey, { ...ABOUT, json: { name } });

/** Nothing listens there; what is posted to it fails and waits. */
const WEBHOOK_URL = "http://127.0.0.1:9/";

const addWebhook = (browser: Browser) =>
  browser.call(webhooks.addWebhook, { ...ABOUT, json: { url: WEBHOOK_URL, events: ["labels.made"] } });

/** The query that names a new webhook. */
async function toWebhook(browser: Browser) {
  const { webhook } = (await addWebhook(browser)).json() as { webhook: webhooks.Webhook };
  return { ...ABOUT.query, endpoint_id: webhook.id };
}

const saveFolder = (browser: Browser) =>
  browser.call(folders.saveFolder, { ...ABOUT, json: { kind: "local" } });

type Audited = Partial<Pick<Entry, "before" | "after">> & {
  action: string;
  prepare(browser: Browser, app: TestApp): Promise<() => Promise<Reply>>;
};

/** A folder of the operator's for folders of orders. */
async function makeFolder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), "order-folders-"));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}

/** Signs in at UPS. @returns what its callback page sends */
async function comeBackFromUps(browser: Browser, app: TestApp) {
  const query = { ...ABOUT.query, ups_account: "1A2B3C" };
  const { redirect } = (await browser.call(carrier.startLink, { query })).json() as { redirect: string };
  const { searchParams } = await app.ups.signIn(redirect, "acme-shipping");
  return { code: searchParams.get("code") ?? "", state: searchParams.get("state") ?? "" };
}

/** For each endpoint that changes something: what must exist first, the call, and the entry it leaves. */
const CALLS: Record<string, Audited> = {
  [callName(signOutDevices)]: {
    action: "identity.sign_out_devices",
    after: { count: 0 },
    prepare: async (browser) => () => browser.call(signOutDevices, { query: { id: "others" } }),
  },
  [callName(companies.switchCompany)]: {
    action: "companies.switch",
    before: { company: ACME },
    prepare: async (browser) => {
      const change = () => browser.call(companies.switchCompany, ABOUT);
      await change();
      return change;
    },
  },
  [callName(companies.disconnectCompany)]: {
    action: "companies.disconnect",
    before: { state: "connected" },
    prepare: async (browser) => () => browser.call(companies.disconnectCompany, ABOUT),
  },
  [callName(companies.changeSettings)]: {
    action: "companies.change_settings",
    before: { invoice_lookback: 30 },
    after: { invoice_lookback: 45 },
    prepare: async (browser, app) => {
      await grantTracking(app.db, ACME);
      const change = () =>
        browser.call(companies.changeSettings, { ...ABOUT, json: { invoice_lookback: 45 } });
      return change;
    },
  },
  [callName(apiKeys.makeKey)]: {
    action: "companies.make_key",
    after: { name: "Made", scopes: ["orders"] },
    prepare: async (browser) => () => makeKey(browser, "Made"),
  },
  [callName(dataExport.requestExport)]: {
    action: "companies.export",
    prepare: async (browser) => () => browser.call(dataExport.requestExport, ABOUT),
  },
  [callName(apiKeys.revokeKey)]: {
    action: "companies.revoke_key",
    before: { name: "Revoked" },
    prepare: async (browser) => {
      const { key } = (await makeKey(browser, "Revoked")).json() as { key: apiKeys.ApiKey };
      return () => browser.call(apiKeys.revokeKey, { query: { ...ABOUT.query, key_id: key.id } });
    },
  },
  [callName(webhooks.addWebhook)]: {
    action: "companies.add_webhook",
    after: { url: WEBHOOK_URL, events: ["labels.made"] },
    prepare: async (browser) => () => addWebhook(browser),
  },
  [callName(webhooks.saveWebhook)]: {
    action: "companies.save_webhook",
    before: { url: WEBHOOK_URL, events: ["labels.made"] },
    after: { url: WEBHOOK_URL, events: ["upload.finished"] },
    prepare: async (browser) => {
      const query = await toWebhook(browser);
      const json = { url: WEBHOOK_URL, events: ["upload.finished"] };
      return () => browser.call(webhooks.saveWebhook, { query, json });
    },
  },
  [callName(webhooks.removeWebhook)]: {
    action: "companies.remove_webhook",
    before: { url: WEBHOOK_URL, events: ["labels.made"] },
    prepare: async (browser) => {
      const query = await toWebhook(browser);
      return () => browser.call(webhooks.removeWebhook, { query });
    },
  },
  [callName(webhooks.replaceSecret)]: {
    action: "companies.replace_webhook_secret",
    after: { url: WEBHOOK_URL },
    prepare: async (browser) => {
      const query = await toWebhook(browser);
      return () => browser.call(webhooks.replaceSecret, { query });
    },
  },
  [callName(webhooks.testWebhook)]: {
    action: "companies.test_webhook",
    after: { url: WEBHOOK_URL },
    prepare: async (browser) => {
      const query = await toWebhook(browser);
      return () => browser.call(webhooks.testWebhook, { query });
    },
  },
  [callName(webhooks.replayMessage)]: {
    action: "companies.replay_webhook",
    after: { event: "webhook.test", url: WEBHOOK_URL },
    prepare: async (browser) => {
      const query = await toWebhook(browser);
      const message = (await browser.call(webhooks.testWebhook, { query })).json() as webhooks.WebhookMessage;
      return () =>
        browser.call(webhooks.replayMessage, { query: { ...ABOUT.query, message_id: message.id } });
    },
  },
  [callName(webhooks.replayFailed)]: {
    action: "companies.replay_failed_webhooks",
    after: { url: WEBHOOK_URL, messages: 0 },
    prepare: async (browser) => {
      const query = await toWebhook(browser);
      const json = { since: "2026-01-01T00:00:00.000Z" };
      return () => browser.call(webhooks.replayFailed, { query, json });
    },
  },
  [callName(takeOrders)]: {
    action: "orders.add",
    after: { file: "orders.json", channel: "api", documents: 1, added: 0, refused: 1 },
    prepare: async (browser) => {
      const { secret } = (await makeKey(browser, "Program")).json() as { secret: string };
      const headers = { authorization: `Bearer ${secret}` };
      return () => browser.call(takeOrders, { headers, json: { po_number: "1" } });
    },
  },
  [callName(folders.saveFolder)]: {
    action: "orders.save_folder",
    after: { kind: "local" },
    prepare: async (browser) => () => saveFolder(browser),
  },
  [callName(folders.removeFolder)]: {
    action: "orders.remove_folder",
    before: { kind: "local" },
    prepare: async (browser) => {
      await saveFolder(browser);
      return () => browser.call(folders.removeFolder, ABOUT);
    },
  },
  [callName(carrier.finishLink)]: {
    action: "carrier.connect",
    before: { ups_account: "" },
    after: { ups_account: "1A2B3C" },
    prepare: async (browser, app) => {
      await grantTracking(app.db, ACME);
      const json = await comeBackFromUps(browser, app);
      return () => browser.call(carrier.finishLink, { json });
    },
  },
  [callName(carrier.endLink)]: {
    action: "carrier.disconnect",
    before: { ups_account: "1A2B3C" },
    prepare: async (browser, app) => {
      await grantTracking(app.db, ACME);
      await browser.call(carrier.finishLink, { json: await comeBackFromUps(browser, app) });
      return () => browser.call(carrier.endLink, ABOUT);
    },
  },
  [callName(companies.addUser)]: {
    action: "companies.add_user",
    after: { email: "added@acme.example" },
    prepare: async (browser) => () => browser.call(companies.addUser, aboutUser("added@acme.example")),
  },
  [callName(companies.removeUser)]: {
    action: "companies.remove_user",
    before: { email: "removed@acme.example" },
    prepare: async (browser) => {
      await browser.call(companies.addUser, aboutUser("removed@acme.example"));
      return () => browser.call(companies.removeUser, aboutUser("removed@acme.example"));
    },
  },
  [callName(companies.acceptInvitation)]: {
    action: "companies.accept_invitation",
    after: { email: OWNER },
    prepare: async (browser, app) => {
      await sql`update company_member set user_id = null, email = ${OWNER}, invitation_id = ${INVITATION}
        where user_id = (select id from app_user where email = ${OWNER})`.execute(app.db);
      return () => browser.call(companies.acceptInvitation, { query: { invitation: INVITATION } });
    },
  },
  [callName(companies.declineInvitation)]: {
    action: "companies.decline_invitation",
    before: { email: "declining@acme.example" },
    prepare: async (browser, app) => {
      await sql`insert into company_member (realm_id, email, invitation_id, added_at)
        values (${ACME}, 'declining@acme.example', ${INVITATION}, now())`.execute(app.db);
      return () => browser.call(companies.declineInvitation, { query: { invitation: INVITATION } });
    },
  },
  [callName(companies.leaveCompany)]: {
    action: "companies.leave",
    before: { email: OWNER },
    prepare: async (browser, app) => {
      await app.browser().signIn("clerk@acme.example");
      await addMember(app.db, ACME, "clerk@acme.example");
      await sql`update company set admin_id = null`.execute(app.db);
      return () => browser.call(companies.leaveCompany, ABOUT);
    },
  },
  [callName(companies.changeService)]: {
    action: "companies.change_service",
    before: { service: "tracking", state: null },
    after: { service: "tracking", state: "active", until: null, reason: "A trial" },
    prepare: async (browser, app) => {
      await sql`delete from company_service`.execute(app.db);
      return () => browser.call(companies.changeService, { json: grant });
    },
  },
  [callName(companies.handOver)]: {
    action: "companies.hand_over",
    before: { admin: OWNER },
    after: { admin: OWNER },
    prepare: async (browser) => () => browser.call(companies.handOver, aboutUser(OWNER)),
  },
  [callName(tracking.checkNow)]: {
    action: "tracking.check",
    prepare: async (browser, app) => {
      await grantTracking(app.db, ACME);
      return () => browser.call(tracking.checkNow, ABOUT);
    },
  },
  [callName(billing.startPayment)]: {
    action: "billing.start_payment",
    after: { service: "tracking", trial: true },
    prepare: async (browser) => {
      const json = { price_id: await offeredPrice(browser), trial: true };
      return () => browser.call(billing.startPayment, { ...ABOUT, json });
    },
  },
  [callName(billing.activateSubscription)]: {
    action: "billing.activate",
    before: { status: "trialing" },
    after: { status: "canceled" },
    prepare: async (browser, app) => {
      const { id } = (await app.stripe.objects("subscription"))[0]!;
      await app.stripe.api(`subscriptions/${id}`, undefined, "DELETE");
      return () => browser.call(billing.activateSubscription, { ...ABOUT, json: { subscription_id: id } });
    },
  },
  [callName(billing.takeOverBilling)]: {
    action: "billing.take_over",
    before: { payer: "carl@elsewhere.example" },
    after: { payer: OWNER },
    prepare: async (browser, app) => {
      await sql`update billing_account set payer_id = null, email = 'carl@elsewhere.example'`.execute(app.db);
      return () => browser.call(billing.takeOverBilling, ABOUT);
    },
  },
  [callName(invoices.postInvoices)]: {
    action: "invoices.upload",
    after: { file: "audit.xlsx", mode: "invoice" },
    prepare: async (browser) => {
      const file = await makeFile("U");
      return () => browser.call(invoices.postInvoices, { ...ABOUT, file });
    },
  },
  [callName(undo.startUndo)]: {
    action: "undo.start",
    after: { action: "void" },
    prepare: async (browser) => {
      const { id } = (await uploadRows(browser, ACME, invoiceRows(1, { prefix: "Z" }))).json() as {
        id: string;
      };
      await settledUploads(browser, ACME);
      return () =>
        browser.call(undo.startUndo, { ...ABOUT, params: { upload_id: id }, json: { action: "void" } });
    },
  },
  [callName(post.answerUnresolved)]: {
    action: "upload.answer",
    after: { seq: 0, in_quickbooks: true },
    prepare: async (browser, app) => {
      const { id } = (await uploadRows(browser, ACME, invoiceRows(1, { prefix: "A" }))).json() as {
        id: string;
      };
      await settledUploads(browser, ACME);
      await sql`update write set state = 'unresolved', vendor_id = null where subject = ${id}::uuid`.execute(
        app.db,
      );
      const params = { upload_id: id, seq: "0" };
      return () => browser.call(post.answerUnresolved, { ...ABOUT, params, json: { is_in_books: true } });
    },
  },
  [callName(check.checkInvoices)]: {
    action: "invoices.check",
    after: { file: "audit.xlsx", mode: "invoice" },
    prepare: async (browser) => {
      const file = await makeFile("C");
      return () => browser.call(check.checkInvoices, { ...ABOUT, file });
    },
  },
  [callName(check.postCheck)]: {
    action: "check.post",
    prepare: (browser) => callOnCheck(browser, check.postCheck, "P"),
  },
  [callName(check.allowDuplicates)]: {
    action: "check.add_equal",
    prepare: (browser) => callOnCheck(browser, check.allowDuplicates, "E"),
  },
  [callName(check.checkAgain)]: {
    action: "check.again",
    after: { cells: CELLS, invoices: [] },
    prepare: (browser) => callOnCheck(browser, check.checkAgain, "K", { cells: CELLS }),
  },
  [callName(check.dropCheck)]: {
    action: "check.drop",
    prepare: (browser) => callOnCheck(browser, check.dropCheck, "D"),
  },
  [callName(names.chooseName)]: {
    action: "choices.choose_name",
    after: {
      kind: "customer",
      text: "Kool Kars",
      target_id: expect.any(String),
      target_name: expect.any(String),
    },
    prepare: async (browser) => {
      const found = await browser.call(names.searchList, { ...ABOUT, params: { kind: "customer" } });
      const [target] = (found.json() as { entries: { id: string }[] }).entries;
      const json = { kind: "customer", text: "Kool Kars", target_id: target?.id };
      return () => browser.call(names.chooseName, { ...ABOUT, json });
    },
  },
  [callName(names.forgetName)]: {
    action: "choices.forget_name",
    before: { kind: "customer", text: "Kool Kars" },
    prepare: async (browser) => () =>
      browser.call(names.forgetName, { query: { realm_id: ACME, kind: "customer", text: "Kool Kars" } }),
  },
  [callName(names.createCustomer)]: {
    action: "choices.create_customer",
    after: { name: "Audited Ltd" },
    prepare: async (browser) => () =>
      browser.call(names.createCustomer, { ...ABOUT, json: { name: "Audited Ltd", confirmed: true } }),
  },
  [callName(workbook.chooseColumns)]: {
    action: "choices.choose_columns",
    after: { sheet: "invoices", columns },
    prepare: async (browser) => () => browser.call(workbook.chooseColumns, { ...ABOUT, json: { columns } }),
  },
  [callName(workbook.chooseDateOrder)]: {
    action: "choices.choose_date_order",
    before: { order: "mdy" },
    after: { sheet: "invoices", order: "dmy" },
    prepare: async (browser) => {
      const choose = (order: string) => browser.call(workbook.chooseDateOrder, { ...ABOUT, json: { order } });
      await choose("mdy");
      return () => choose("dmy");
    },
  },
  [callName(labels.changeLabelSettings)]: {
    action: "labels.change_settings",
    before: trailOfLabels({ resolution: "203" }),
    after: trailOfLabels({ resolution: "300", next_serials: [{ prefix: "0614141", next: 417 }] }),
    prepare: async (browser) => {
      await browser.call(labels.changeLabelSettings, { json: makeLabelSettings() });
      const json = makeLabelSettings({ resolution: "300", next_serial: 417 });
      return () => browser.call(labels.changeLabelSettings, { json });
    },
  },
  [callName(labels.createLabels)]: {
    action: "labels.make",
    after: { file: "audit.xlsx", labels: 1 },
    prepare: async (browser) => {
      const file = { name: "audit.xlsx", bytes: await labelWorkbook([{}]) };
      return () => browser.call(labels.createLabels, { ...ABOUT, file });
    },
  },
  [callName(labels.printLabels)]: {
    action: "labels.print",
    after: { file: "prints.xlsx", labels: 1, format: "pdf" },
    prepare: (browser) => callOnLabels(browser, labels.printLabels, { labels: "2" }),
  },
  [callName(labels.chooseColumns)]: {
    action: "choices.choose_columns",
    after: { sheet: "labels", columns: labelColumns },
    prepare: async (browser) => () =>
      browser.call(labels.chooseColumns, { ...ABOUT, json: { columns: labelColumns } }),
  },
  [callName(labels.chooseDateOrder)]: {
    action: "choices.choose_date_order",
    before: { order: null },
    after: { sheet: "labels", order: "dmy" },
    prepare: async (browser) => () =>
      browser.call(labels.chooseDateOrder, { ...ABOUT, json: { order: "dmy" } }),
  },
  [callName(orders.addOrders)]: {
    action: "orders.add",
    after: { file: "audit.edi", channel: "file", documents: 1, added: 1, refused: 0 },
    prepare: async (browser) => {
      const file = { name: "audit.edi", bytes: Buffer.from(sampleFile({ sets: [sampleOrder(1)] })) };
      return () => browser.call(orders.addOrders, { ...ABOUT, file });
    },
  },
  [callName(orders.chooseColumns)]: {
    action: "choices.choose_columns",
    after: { sheet: "orders", columns: orderColumns },
    prepare: async (browser) => () =>
      browser.call(orders.chooseColumns, { ...ABOUT, json: { columns: orderColumns } }),
  },
  [callName(orders.chooseDateOrder)]: {
    action: "choices.choose_date_order",
    before: { order: null },
    after: { sheet: "orders", order: "dmy" },
    prepare: async (browser) => () =>
      browser.call(orders.chooseDateOrder, { ...ABOUT, json: { order: "dmy" } }),
  },
  [callName(shipping.cancelOrder)]: {
    action: "orders.cancel",
    after: { po_number: "80002", reason: "discontinued" },
    prepare: async (browser) => {
      await addOrder(browser, 2);
      const query = { ...ABOUT.query, customer: "retailer", po_number: "80002", reason: "discontinued" };
      return () => browser.call(shipping.cancelOrder, { query });
    },
  },
  [callName(orders.restoreOrder)]: {
    action: "orders.restore",
    after: { po_number: "80003" },
    prepare: async (browser) => {
      const { id } = await addOrder(browser, 3);
      const query = { ...ABOUT.query, customer: "retailer", po_number: "80003", reason: "discontinued" };
      await browser.call(shipping.cancelOrder, { query });
      return () => browser.call(orders.restoreOrder, { ...ABOUT, json: { order_id: id } });
    },
  },
  [callName(orders.correctAddress)]: {
    action: "orders.address",
    before: { lines: "12 Main Street, Apartment 4", city: "Reno", state: "NV", zip: "89506" },
    after: { po_number: "80004", lines: "14 Main Street", city: "Reno", state: "NV", zip: "89506" },
    prepare: async (browser) => {
      const { id } = await addOrder(browser, 4);
      return () =>
        browser.call(orders.correctAddress, { ...ABOUT, json: { order_id: id, ship_to: SHIP_TO } });
    },
  },
  [callName(orders.decideOrder)]: {
    action: "orders.decide",
    after: { po_number: "80005", choice: "keep" },
    prepare: async (browser) => {
      const { id } = await addOrder(browser, 5);
      const other = sampleOrder(5).map((segment) => segment.replace("Jane Doe", "Ann Doe"));
      const file = { name: "other.edi", bytes: Buffer.from(sampleFile({ sets: [other] })) };
      await browser.call(orders.addOrders, { ...ABOUT, file });
      const { open } = (await browser.call(shipping.listOpenOrders, ABOUT)).json() as OpenOrders;
      const received_at = open.find((order) => order.id === id)?.waiting?.received_at;
      const json = { order_id: id, choice: "keep", received_at };
      return () => browser.call(orders.decideOrder, { ...ABOUT, json });
    },
  },
  [callName(notices.downloadNotices)]: {
    action: "orders.notices",
    after: { notices: 1, po_numbers: "800012" },
    prepare: async (browser, app) => {
      await addOrder(browser, 12);
      const query = { ...ABOUT.query, customer: "retailer", po_number: "800012", reason: "discontinued" };
      await browser.call(shipping.cancelOrder, { query });
      await sql`update order_notice set due_at = created_at`.execute(app.db);
      const { notices: due } = (
        await browser.call(notices.listNotices, { query: { ...ABOUT.query, show: "due" } })
      ).json() as { notices: { id: string; po_number: string }[] };
      const ids = due.filter((request) => request.po_number === "800012").map(({ id }) => id);
      return () => browser.call(notices.downloadNotices, { ...ABOUT, json: { ids } });
    },
  },
  [callName(notices.sendInvoiceAgain)]: {
    action: "orders.notices",
    after: { notices: 1, po_numbers: "800013" },
    prepare: async (browser, app) => {
      const { id } = await addOrder(browser, 13);
      const notice = await addInvoiceNotice(app, { orderId: id, poNumber: "800013", state: "rejected" });
      return () => browser.call(notices.sendInvoiceAgain, { ...ABOUT, json: { id: notice } });
    },
  },
  [callName(notices.rejectInvoice)]: {
    action: "orders.reject_notice",
    after: { po_number: "800019" },
    prepare: async (browser, app) => {
      const { id } = await addOrder(browser, 19);
      const notice = await addInvoiceNotice(app, { orderId: id, poNumber: "800019", state: "sent" });
      await sql`insert into order_message (realm_id, id, order_id, notice_id, partner, document, source, meaning, sentences, received_at)
        values (${ABOUT.query.realm_id}, gen_random_uuid(), ${id}, ${notice}, 'retailer', '864', '1', 'attention', '["No receipt"]', now())`.execute(
        app.db,
      );
      return () => browser.call(notices.rejectInvoice, { ...ABOUT, json: { id: notice } });
    },
  },
  [callName(notices.changeNoticeSettings)]: {
    action: "orders.notice_settings",
    before: { cut_off: "17:00", sender_id: "" },
    after: { cut_off: "15:00", sender_id: "ACME" },
    prepare: async (browser) => () =>
      browser.call(notices.changeNoticeSettings, { ...ABOUT, json: { cut_off: "15:00", sender_id: "ACME" } }),
  },
  [callName(shipping.changeCarrierSettings)]: {
    action: "labels.carrier_settings",
    before: trailOfShipping("pdf"),
    after: trailOfShipping("zpl"),
    prepare: async (browser) => {
      const save = (label_format: string) =>
        browser.call(shipping.changeCarrierSettings, {
          ...ABOUT,
          json: { ...CARRIER_SETTINGS, label_format },
        });
      await save("pdf");
      return () => save("zpl");
    },
  },
  [callName(shipping.createShipment)]: {
    action: "labels.ship",
    after: { po_number: "80006", cartons: 1, shipment_id: expect.any(String) },
    prepare: async (browser, app) => {
      await setUpShipping(browser, app);
      await addOrder(browser, 6);
      const json = { po_number: "80006", cartons: [CARTON] };
      return () => browser.call(shipping.createShipment, { ...ABOUT, json });
    },
  },
  [callName(shipping.createShipments)]: {
    action: "labels.ship",
    after: { po_number: "80007", cartons: 1, shipment_id: expect.any(String) },
    prepare: async (browser, app) => {
      await setUpShipping(browser, app);
      const { id } = await addOrder(browser, 7);
      const request = { order_id: id, cartons: [CARTON], key: crypto.randomUUID() };
      return () => browser.call(shipping.createShipments, { ...ABOUT, json: { orders: [request] } });
    },
  },
  [callName(shipping.printShipments)]: {
    action: "labels.ship_print",
    after: { labels: 1, orders: 1 },
    prepare: async (browser, app) => {
      const { made } = await makeLabels(browser, app, 8);
      return () => browser.call(shipping.printShipments, { ...ABOUT, json: { ids: [made?.id] } });
    },
  },
  [callName(shipping.voidShipment)]: {
    action: "labels.void",
    after: {
      po_number: "80009",
      shipment: expect.any(String),
      voided: expect.any(String),
      kept: 0,
      by: expect.any(String),
    },
    prepare: async (browser, app) => {
      const { made } = await makeLabels(browser, app, 9);
      const query = { ...ABOUT.query, po_number: "80009", shipment: made?.shipment ?? "" };
      return () => browser.call(shipping.voidShipment, { query });
    },
  },
  [callName(shipping.answerShipment)]: {
    action: "labels.ship_answer",
    after: { po_number: "800010", answer: "create_again", shipment: "" },
    prepare: async (browser, app) => {
      await setUpShipping(browser, app);
      await app.ups.control("faults", { fault: "drop", operation: "ship", times: 1 });
      const { order } = await makeLabels(browser, app, 10);
      const read = async () => {
        const { open } = (await browser.call(shipping.listOpenOrders, ABOUT)).json() as OpenOrders;
        return open.find(({ id }) => id === order.id)?.labels;
      };
      await app.settle(60_000);
      expect((await read())?.state).toBe("asked");
      const json = { id: (await read())?.id, answer: "create_again" };
      return () => browser.call(shipping.answerShipment, { ...ABOUT, json });
    },
  },
  [callName(shipping.cancelLines)]: {
    action: "orders.cancel_lines",
    after: { po_number: "800014", lines: "2 of line 1", reason: "discontinued" },
    prepare: async (browser) => {
      const { id: order_id } = await addOrder(browser, 14);
      const json = { order_id, lines: [{ line: "1", quantity: "2" }], cancel_reason: "discontinued" };
      return () => browser.call(shipping.cancelLines, { ...ABOUT, json });
    },
  },
  [callName(shipping.setContents)]: {
    action: "labels.contents",
    after: { po_number: "800015", cartons: 2, shipment_id: expect.any(String) },
    prepare: async (browser, app) => {
      const { made } = await makeLabels(browser, app, 15, [CARTON, CARTON]);
      const cartons = ["1", "2"].map((line) => ({
        contents: [{ line, quantity: line === "1" ? "2" : "10" }],
      }));
      return () => browser.call(shipping.setContents, { ...ABOUT, json: { id: made?.id, cartons } });
    },
  },
  [callName(thread.chooseMatch)]: {
    action: "orders.choose_match",
    after: { kind: "customer", text: "", target_name: "Cool Cars" },
    prepare: async (browser) => {
      const json = {
        partner: "retailer",
        kind: "customer",
        written: "",
        target_id: await findEntry(browser, "customer", "Cool Cars"),
      };
      return () => browser.call(thread.chooseMatch, { ...ABOUT, json });
    },
  },
  [callName(thread.changeOrderInvoiceSettings)]: {
    action: "orders.change_invoice_settings",
    after: { posts_when_shipped: false },
    prepare: async (browser) => () =>
      browser.call(thread.changeOrderInvoiceSettings, { ...ABOUT, json: { posts_when_shipped: false } }),
  },
  [callName(thread.answerOrderInvoice)]: {
    action: "orders.answer_invoice",
    after: { answer: "order_price", line: "1", po_number: "800016" },
    prepare: async (browser, app) => {
      const { id, about } = await draftInvoice(browser, app, 16);
      const json = { id, about, answer: "order_price", line: "1" };
      return () => browser.call(thread.answerOrderInvoice, { ...ABOUT, json });
    },
  },
  [callName(thread.postOrderInvoices)]: {
    action: "invoices.upload",
    after: { file: "Orders 800017.csv", mode: "invoice" },
    prepare: async (browser, app) => {
      const { order } = await draftInvoice(browser, app, 17);
      return () => browser.call(thread.postOrderInvoices, { ...ABOUT, json: { order_ids: [order] } });
    },
  },
  [callName(legal.sendMessage)]: {
    action: "legal.send_message",
    prepare: async (browser) => () =>
      browser.call(legal.sendMessage, {
        json: { name: "Olive", email: OWNER, topic: "other", message: "Hello." },
      }),
  },
  [callName(health.retryRun)]: {
    action: "admin.retry_run",
    after: { reason: "The mail server is back" },
    prepare: async (browser, app) => {
      await sql`insert into run (realm_id, id, kind, lane, subject, state, cause, requested_by, requested_at)
        values (${ACME}, ${RUN}::uuid, 'made.kind', 'made', gen_random_uuid(), 'waiting', '{"code":"made"}', 'system', now())`.execute(
        app.db,
      );
      return () =>
        browser.call(health.retryRun, {
          json: { realm_id: ACME, id: RUN, reason: "The mail server is back" },
        });
    },
  },
  [callName(post.cancelUpload)]: {
    action: "upload.cancel",
    prepare: async (browser, app) => {
      const reply = await uploadRows(browser, ACME, invoiceRows(2, { prefix: "CAN" }));
      const { id } = reply.json() as { id: string };
      await settledUploads(browser, ACME);
      // Open again, without work that could end before the call.
      await sql`update run set state = 'waiting', kind = 'invoices.post-upload', due_at = null, finished_at = null
        where subject = ${id}::uuid`.execute(app.db);
      return () => browser.call(post.cancelUpload, { ...ABOUT, params: { upload_id: id } });
    },
  },
  [callName(health.cancelRun)]: {
    action: "admin.cancel_run",
    after: { reason: "It was a mistake" },
    prepare: async (browser, app) => {
      const id = crypto.randomUUID();
      await sql`insert into run (realm_id, id, kind, lane, subject, state, cause, requested_by, requested_at)
        values (${ACME}, ${id}::uuid, 'invoices.post-upload', 'made', gen_random_uuid(), 'waiting', '{"code":"made"}', 'system', now())`.execute(
        app.db,
      );
      return () =>
        browser.call(health.cancelRun, { json: { realm_id: ACME, id, reason: "It was a mistake" } });
    },
  },
  [callName(support.askForGrant)]: {
    action: "support.ask",
    after: { reason: "They asked why", ends_at: expect.any(String) },
    prepare: async (browser) => () =>
      browser.call(support.askForGrant, { json: { realm_id: ACME, reason: "They asked why" } }),
  },
  [callName(support.endGrant)]: {
    action: "support.end",
    before: { operator: OWNER },
    prepare: async (browser) => {
      const json = { realm_id: ACME, reason: "They asked why" };
      await browser.call(support.askForGrant, { json });
      const { grants } = (await browser.call(support.listGrants, ABOUT)).json() as {
        grants: support.SupportGrant[];
      };
      const query = { ...ABOUT.query, grant_id: grants[0]?.id ?? "" };
      return () => browser.call(support.endGrant, { query });
    },
  },
  [callName(admin.disconnectForSupport)]: {
    action: "companies.disconnect",
    before: { state: "connected" },
    after: { reason: "They asked for it" },
    prepare: async (browser, app) => {
      await app.owner(ACME);
      await setGroups(app.db, ["app", "brainchild", "admin"]);
      const json = { realm_id: ACME, reason: "They asked for it" };
      return () => browser.call(admin.disconnectForSupport, { json });
    },
  },
  [callName(admin.changeUser)]: {
    action: "identity.unblock_user",
    after: { email: OWNER, count: 0, reason: "It was a mistake" },
    prepare: async (browser) => () =>
      browser.call(admin.changeUser, {
        json: { email: OWNER, change: "unblock", reason: "It was a mistake" },
      }),
  },
  [callName(admin.replayWebhook)]: {
    action: "admin.replay_webhook",
    after: { reason: "It was lost" },
    prepare: async (browser, app) => {
      await sql`insert into stripe_event (id, type, subject_kind, subject_id, created_at, received_at, received_by, handled_at)
        values ('evt_audit', 'customer.updated', 'customer', 'cus_none', now(), now(), 'webhook', now())`.execute(
        app.db,
      );
      return () => browser.call(admin.replayWebhook, { json: { id: "evt_audit", reason: "It was lost" } });
    },
  },
  [callName(admin.resendMail)]: {
    action: "admin.resend_mail",
    after: { kind: "invitation", recipient: OWNER, reason: "The mail server is back" },
    prepare: async (browser, app) => {
      await sql`insert into notice_mail (id, realm_id, kind, recipient, params, state, created_at, changed_at)
        values (${RUN}::uuid, ${ACME}, 'invitation', ${OWNER}, '{}', 'refused', now(), now())`.execute(
        app.db,
      );
      return () => browser.call(admin.resendMail, { json: { id: RUN, reason: "The mail server is back" } });
    },
  },
  [callName(companies.resetDemo)]: {
    action: "admin.reset_demo",
    prepare: async (browser) => () => browser.call(companies.resetDemo),
  },
};

/** They show what is in a file or a draft: a POST because its body is not stored. */
const ONLY_READS = [
  callName(workbook.readColumns),
  callName(labels.readColumns),
  callName(orders.readColumns),
  callName(labels.reviewLabels),
  callName(labels.downloadProblemRows),
  callName(folders.readServerKey),
];

const changing = ENDPOINTS.filter(changesState).map(callName);

test("every endpoint that changes something is covered below", () => {
  expect([...Object.keys(CALLS), ...ONLY_READS].sort()).toEqual([...changing].sort());
});

test("a successful call leaves exactly its own entry, with its user, its request id, and what it changed from and to", async () => {
  const app = await startApp({ env: { SHIP_WAITS_MS: "50,100", ORDER_FOLDERS: await makeFolder() } });
  await liftLimits(app.intuit, ACME);
  const browser = await app.owner(ACME);
  await setGroups(app.db, ["app", "brainchild", "admin"]);
  const disconnect = callName(companies.disconnectCompany);
  const reset = callName(companies.resetDemo);
  const message = callName(legal.sendMessage);
  const leave = callName(companies.leaveCompany);
  const ofNoCompany = [
    message,
    reset,
    callName(signOutDevices),
    callName(health.retryRun),
    callName(health.cancelRun),
    callName(admin.changeUser),
    callName(admin.replayWebhook),
    callName(admin.resendMail),
  ];
  const anonymous = [message, callName(companies.declineInvitation), callName(takeOrders)];
  // Four take away what the others need.
  const last = [disconnect, callName(admin.disconnectForSupport), leave, reset];
  const others = Object.keys(CALLS).filter((name) => !last.includes(name));
  for (const name of [...others, ...last]) {
    const audited = CALLS[name];
    if (!audited) throw new Error(name);
    const call = await audited.prepare(browser, app);
    const earlier = await readTrail(app);
    const reply = await call();
    expect(reply.status, `${name} ${reply.text}`).toBeLessThan(300);
    // Resetting the demo reconnects its companies.
    const added = (await readTrail(app)).slice(earlier.length).filter(({ request_id: id }) => id !== "demo");
    expect(added, name).toEqual([
      {
        realm_id: ofNoCompany.includes(name) ? "" : ACME,
        email: anonymous.includes(name) ? null : OWNER,
        action: audited.action,
        ids: expect.any(Object) as object,
        before: audited.before ?? null,
        after: audited.after ?? null,
        request_id: reply.headers.get("x-request-id"),
      },
    ]);
  }
});

test("SE-26 the audit trail of a company's admin describes every action in its own words", async () => {
  const app = await startApp({ worker: false });
  const browser = await app.owner(ACME);
  const actions = Object.values(CALLS).map(({ action }) => action);
  const ofCompanies = actions.filter((action) => !/^(?:admin|identity|legal)\./.test(action));
  await sql`insert into audit_entry (realm_id, at, id, action, ids, request_id)
    select ${ACME}, ${new Date()}, gen_random_uuid(), action, '{}', 'r'
    from unnest(${[...ofCompanies, "labels.print_again"]}::text[]) action`.execute(app.db);
  const { entries } = (await browser.call(listTrail, { query: { realm_id: ACME, limit: "200" } })).json() as {
    entries: { action: string; title: string }[];
  };
  expect(entries.length).toBeGreaterThan(ofCompanies.length);
  expect(entries.filter(({ title }) => title.includes(":"))).toEqual([]);
});

test("a refused call leaves no entry, and neither does one that only reads", async () => {
  const app = await startApp({ worker: false });
  const browser = await app.owner(ACME);
  const before = await readTrail(app);
  await browser.call(workbook.readColumns, { ...ABOUT, file: await makeFile("R") });
  await browser.call(companies.switchCompany, { query: { realm_id: "1" } });
  await browser.call(check.dropCheck, {
    ...ABOUT,
    params: { upload_id: "00000000-0000-4000-8000-000000000000" },
  });
  await browser.call(getUser);
  expect(await readTrail(app)).toEqual(before);
});

test("signing in, connecting, signing out and a refused sign-in each leave an entry", async () => {
  const app = await startApp({ worker: false });
  const browser = await app.owner(ACME);
  await browser.request("/logout/");
  await browser.request("/logout/");
  await app.browser().request("/oauth/intuit/callback?state=of-nobody&code=of-nobody");
  const trail = await readTrail(app);
  expect(trail.map(({ action, email, realm_id: realm, after }) => [action, email, realm, after])).toEqual([
    ["identity.sign_in", OWNER, "", null],
    ["companies.connect", OWNER, ACME, null],
    ["identity.sign_out", OWNER, "", null],
    ["identity.sign_in_refused", null, "", { reason: "cookies" }],
  ]);
  for (const { request_id: id } of trail) expect(id).toMatch(/^[\da-f-]{36}$/);
});

test.each(["update audit_entry set action = 'x.y'", "delete from audit_entry", "truncate audit_entry"])(
  "the database refuses to change the trail: %s",
  async (statement) => {
    const app = await startApp({ worker: false });
    await app.owner(ACME);
    await expect(sql.raw(statement).execute(app.db)).rejects.toThrow(
      "Entries of the audit trail are never changed or removed.",
    );
    expect(await readTrail(app)).toHaveLength(2);
  },
);
