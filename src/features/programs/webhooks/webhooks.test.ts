import { randomBytes } from "node:crypto";
import type { ServerResponse } from "node:http";
import { sql } from "kysely";
import { Webhook as Verifier } from "standardwebhooks";
import { expect, test } from "vitest";
import { readConnection } from "#features/companies/contract.ts";
import { addEvent, removeOldWebhookMessages } from "#features/programs/webhooks/add-event.ts";
import * as contract from "#features/programs/webhooks/contract.ts";
import type { Webhook, WebhookEvent, WebhookMessage } from "#features/programs/webhooks/contract.ts";
import { findWebhookKeys } from "#features/programs/webhooks/seals.ts";
import type { UploadSummary } from "#features/invoices/contract.ts";
import { changeCarrierSettings, createShipment } from "#features/shipping/contract.ts";
import { createLabels } from "#features/labels/contract.ts";
import { addOrders } from "#features/orders/contract.ts";
import { sampleFile, sampleOrder } from "#formats/x12/fixtures/sample-orders.ts";
import { parseSealingKeys } from "#platform/crypto/seal.ts";
import { isReachable, systemResolve, type Reach, type Resolve } from "#platform/outbound/public-address.ts";
import { openSealingKeys, sealAgain } from "../../../main/sealing-keys.ts";
import type { Browser } from "../../../../test/support/browser.ts";
import { steppedClock } from "../../../../test/support/stepped-clock.ts";
import { ACME, BAY } from "../../../../test/support/intuit.ts";
import { labelWorkbook, setUpLabels } from "../../../../test/support/labels.ts";
import { grantTracking } from "../../../../test/support/members.ts";
import { startReceiver, type Received } from "../../../../test/support/receiver.ts";
import { CARRIER_SETTINGS, CARTON, linkUps } from "../../../../test/support/shipping.ts";
import { startApp } from "../../../../test/support/start-app.ts";
import { executeSystemRun } from "../../../../test/support/system-runs.ts";
import { openTrackingDesk, until } from "../../../../test/support/tracking.ts";
import { settledUploads, uploadRows } from "../../../../test/support/uploads.ts";
import { invoiceRows } from "../../../../test/support/workbooks.ts";

const query = { realm_id: ACME };
async function addWebhook(browser: Browser, url: string, events: WebhookEvent[] = ["upload.finished"]) {
  const reply = await browser.call(contract.addWebhook, { query, json: { url, events } });
  expect(reply.status, reply.text).toBe(200);
  return reply.json() as { webhook: Webhook; secret: string };
}

async function sendTest(browser: Browser, { id }: Webhook): Promise<WebhookMessage> {
  const reply = await browser.call(contract.testWebhook, { query: { ...query, endpoint_id: id } });
  expect(reply.status, reply.text).toBe(200);
  return reply.json() as WebhookMessage;
}

const list = async (browser: Browser) =>
  (await browser.call(contract.listWebhooks, { query })).json() as {
    webhooks: Webhook[];
    messages: WebhookMessage[];
  };

/**
 * Expects a message, the newest one if none is named, in a state within `ms`, which is less than a retry
 * waits.
 */
async function settled(
  browser: Browser,
  expected: Partial<WebhookMessage>,
  ms = 100,
): Promise<WebhookMessage> {
  await browser.settle(ms);
  const { messages } = await list(browser);
  const found = expected.id ? messages.find(({ id }) => id === expected.id) : messages[0];
  expect(found).toMatchObject(expected);
  return found as WebhookMessage;
}

/** Verifies a message as a receiver does, with the library of the specification. */
const verify = (secret: string, { headers, body }: Received) => new Verifier(secret).verify(body, headers);

/** The same for a message of another time than now, which a receiver would refuse as too old or too new. */
function expectSigned({ headers, body }: Received, secrets: readonly string[]) {
  const at = new Date(Number(headers["webhook-timestamp"]) * 1_000);
  const id = headers["webhook-id"] ?? "";
  const signatures = secrets.map((secret) => new Verifier(secret).sign(id, at, body));
  expect(headers["webhook-signature"]).toBe(signatures.join(" "));
}

test("OP-15 the end of an upload is posted, signed by the Standard Webhooks convention, and only to who asked for it", async () => {
  const app = await startApp();
  const owner = await app.owner(ACME);
  const [receiver, other] = [await startReceiver(app), await startReceiver(app)];
  const { secret } = await addWebhook(owner, receiver.url("/dockside?key=1"));
  await addWebhook(owner, other.url(), ["package.delivered"]);
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  const { id: uploadId } = (
    await uploadRows(owner, ACME, invoiceRows(2, { prefix: "WH" }))
  ).json() as UploadSummary;
  const [message] = await receiver.gets(1);
  if (!message) throw new Error("Nothing was posted.");
  expect(verify(secret, message)).toEqual({
    type: "upload.finished",
    timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    data: {
      company_id: ACME,
      upload_id: uploadId,
      state: "finished",
      rows: 2,
      completed_rows: 2,
      problem_rows: 0,
      page: `${app.config.publicUrl}/app/`,
    },
  });
  expect([message.path, message.headers["content-type"]]).toEqual(["/dockside?key=1", "application/json"]);
  expect(() => verify(secret, { ...message, body: message.body.replace('"rows":2', '"rows":3') })).toThrow();
  await settled(owner, { state: "delivered", attempts: 1 });
  expect((await list(owner)).messages).toMatchObject([
    { id: message.headers["webhook-id"], event: "upload.finished", answer: "200", due_at: null },
  ]);
  expect([receiver.got.length, other.got.length]).toEqual([1, 0]);
  const { rows } = await sql<{
    text: string;
  }>`select webhook_endpoint::text as text from webhook_endpoint`.execute(app.db);
  expect(rows.map(({ text }) => text).join()).not.toContain(secret);
});

test("OP-15 labels, a delivery and a lost connection are sent as ids and numbers, without names of people", async () => {
  const desk = await openTrackingDesk();
  const { app, browser } = desk;
  const receiver = await startReceiver(app);
  const { secret } = await addWebhook(browser, receiver.url(), [
    "labels.made",
    "package.delivered",
    "connection.lost",
  ]);
  await browser.call(changeCarrierSettings, { json: CARRIER_SETTINGS });
  const file = { name: "orders.edi", bytes: Buffer.from(sampleFile({ sets: [sampleOrder(1)] })) };
  await browser.call(addOrders, { file });
  const [number = ""] = await desk.packages({ ageHours: 40 });
  await desk.invoice({ DocNumber: "WH-1", TrackingNum: number });
  await desk.turnOn();
  const made = await browser.call(createShipment, { json: { po_number: "80001", cartons: [CARTON] } });
  expect(made.status, made.text).toBe(200);
  const received = (count: number) =>
    receiver.gets(count).then((got) => got.map((request) => verify(secret, request) as Message));
  expect((await received(1))[0]).toMatchObject({
    type: "labels.made",
    data: { po_number: "80001", tracking_numbers: [expect.stringMatching(/^1Z/)] },
  });
  await until(
    desk.app.clock,
    () => desk.list(),
    (invoices) => invoices.some(({ state }) => state === "in_transit"),
  );
  await desk.move(number, "delivered");
  expect((await received(2))[1]).toMatchObject({
    type: "package.delivered",
    data: { company_id: ACME, tracking_number: number, invoice_numbers: ["WH-1"] },
  });
  await app.intuit.control("tokens/revoke", { realmId: ACME });
  await browser.call(readConnection, { query });
  expect((await received(3))[2]).toMatchObject({ type: "connection.lost", data: { vendor: "intuit" } });
  expect(receiver.got.map(({ body }) => body).join()).not.toContain("Jane");
}, 180_000);

type Message = { type: string; data: object };

test("OP-15 GS1 labels are sent once they are made; the same rows again, which make none, are not", async () => {
  const app = await startApp();
  const owner = await app.owner(ACME);
  await setUpLabels(owner);
  const receiver = await startReceiver(app);
  const { secret } = await addWebhook(owner, receiver.url(), ["gs1_labels.made"]);
  const bytes = await labelWorkbook([{ Cartons: 3 }]);
  const uploads = ["0198c0de-0000-7000-8000-00000000000a", "0198c0de-0000-7000-8000-00000000000b"];
  for (const print_id of uploads) {
    const file = { name: "week12.xlsx", bytes };
    const made = await owner.call(createLabels, {
      headers: { "x-realm-id": ACME },
      json: { print_id },
      file,
    });
    expect(made.status, made.text).toBe(200);
  }
  const [message] = await receiver.gets(1);
  expect(message && verify(secret, message)).toMatchObject({
    type: "gs1_labels.made",
    data: { company_id: ACME, upload_id: uploads[0], labels: 3, page: `${app.config.publicUrl}/label/` },
  });
  expect((await list(owner)).messages).toHaveLength(1);
});

test("OP-15 a lost UPS connection is sent once, with the page where it is connected again", async () => {
  const clock = steppedClock();
  const app = await startApp({ clock });
  const owner = await app.owner(ACME);
  await grantTracking(app.db, ACME);
  await linkUps(app, owner);
  const receiver = await startReceiver(app);
  const { secret } = await addWebhook(owner, receiver.url(), ["connection.lost"]);
  await app.ups.control("tokens/revoke", { user: "acme-shipping" });
  // UPS refuses the refresh, and still does half a day later.
  for (const hours of [31 * 24, 13, 13]) {
    clock.advance(hours * 3_600_000);
    await executeSystemRun(app, "carrier.keep-links");
    // The worker renews Intuit's tokens too, which must not take half a day.
    await app.settle(0);
  }
  const [message] = await receiver.gets(1);
  if (!message) throw new Error("Nothing was posted.");
  expectSigned(message, [secret]);
  expect(JSON.parse(message.body)).toMatchObject({
    type: "connection.lost",
    data: { company_id: ACME, vendor: "ups", page: `${app.config.publicUrl}/settings/` },
  });
  const { rows } = await sql`select data from webhook_message`.execute(app.db);
  expect(rows).toEqual([{ data: { vendor: "ups" } }]);
}, 120_000);

test("OP-15 a receiver that hangs does not hold up the company's other receivers", async () => {
  const app = await startApp();
  const owner = await app.owner(ACME);
  const [hanging, other] = [await startReceiver(app), await startReceiver(app)];
  const { webhook: first } = await addWebhook(owner, hanging.url());
  const { webhook: second } = await addWebhook(owner, other.url());
  const held = Promise.withResolvers<ServerResponse>();
  hanging.answer((response) => held.resolve(response));
  const { id } = await sendTest(owner, first);
  const response = await held.promise;
  await sendTest(owner, second);
  await other.gets(1);
  expect((await list(owner)).messages.find((message) => message.id === id)).toMatchObject({ attempts: 0 });
  response.writeHead(200).end();
  await settled(owner, { id, state: "delivered", attempts: 1 });
});

test("OP-15 the time that a busy receiver asks for is kept, up to 10 hours and never below the usual wait", async () => {
  const app = await startApp();
  const owner = await app.owner(ACME);
  const receiver = await startReceiver(app);
  const { webhook } = await addWebhook(owner, receiver.url());
  const at = Date.parse("2026-11-20T10:00:00.000Z");
  const date = (seconds = 0) => new Date(at + seconds * 1_000).toUTCString();
  const answers: [number, Record<string, string>, number][] = [
    [429, { "retry-after": "120" }, 120],
    [503, { "retry-after": "90" }, 90],
    [503, { "retry-after": date(600), date: date() }, 600],
    [429, { "retry-after": "1" }, 5],
    [429, { "retry-after": "0" }, 5],
    [503, { "retry-after": date(-60), date: date() }, 5],
    [503, { "retry-after": "99999999999999999999" }, 36_000],
    [429, { "retry-after": "2 minutes" }, 5],
    [429, { "retry-after": "-120" }, 5],
    [500, { "retry-after": "120" }, 5],
  ];
  for (const [status, headers, wait] of answers) {
    receiver.answer((response) => response.writeHead(status, headers).end());
    const { id } = await sendTest(owner, webhook);
    const { due_at, attempted_at } = await settled(owner, { id, state: "queued", attempts: 1 });
    const seconds = (Date.parse(due_at ?? "") - Date.parse(attempted_at ?? "")) / 1_000;
    expect([status, headers, seconds]).toEqual([status, headers, wait]);
  }
}, 120_000);

test("OP-15 a message is repeated under one id after growing waits, then it has failed, and the admin sends it again", async () => {
  const clock = steppedClock();
  const app = await startApp({ clock });
  const owner = await app.owner(ACME);
  const receiver = await startReceiver(app);
  const { webhook, secret } = await addWebhook(owner, receiver.url());
  const waits = [5, 300, 1_800, 7_200, 18_000, 36_000, 36_000];
  receiver.answer(...waits.map(() => 500), 503);
  const { id } = await sendTest(owner, webhook);
  for (const [at, wait] of waits.entries()) {
    const { due_at, attempted_at } = await settled(owner, {
      state: "queued",
      attempts: at + 1,
      answer: "500",
    });
    expect(Date.parse(due_at ?? "") - Date.parse(attempted_at ?? "")).toBe(wait * 1_000);
    clock.advance(wait * 1_000);
  }
  await settled(owner, { state: "failed", attempts: 8, answer: "503", due_at: null });
  const ids = receiver.got.map(({ headers }) => headers["webhook-id"]);
  expect(ids).toEqual(Array.from({ length: 8 }, () => id));
  expect(new Set(receiver.got.map(({ body }) => body)).size).toBe(1);
  for (const request of receiver.got) expectSigned(request, [secret]);
  const times = receiver.got.map(({ headers }) => Number(headers["webhook-timestamp"]));
  for (const [at, wait] of waits.entries())
    expect((times[at + 1] ?? 0) - (times[at] ?? 0)).toBeGreaterThanOrEqual(wait - 1);

  const again = await owner.call(contract.replayMessage, { query: { ...query, message_id: id } });
  expect(again.json()).toMatchObject({ id, state: "queued", attempts: 0 });
  await settled(owner, { state: "delivered", attempts: 1, answer: "200" });
  expect((await list(owner)).webhooks[0]).toMatchObject({ state: "active", failing_since: null });

  receiver.answer(500);
  const waiting = await sendTest(owner, webhook);
  await settled(owner, { id: waiting.id, state: "queued", attempts: 1 });
  await owner.call(contract.replayMessage, { query: { ...query, message_id: waiting.id } });
  await settled(owner, { id: waiting.id, state: "delivered" });
  expect(receiver.got.slice(8).map(({ headers }) => headers["webhook-id"])).toEqual([
    id,
    waiting.id,
    waiting.id,
  ]);
}, 180_000);

test("OP-15 a message that is sent again during its last attempt starts over when that attempt fails", async () => {
  const clock = steppedClock();
  const app = await startApp({ clock });
  const owner = await app.owner(ACME);
  const receiver = await startReceiver(app);
  const { webhook } = await addWebhook(owner, receiver.url());
  const lastAttempt = Promise.withResolvers<ServerResponse>();
  receiver.answer(500, (response) => lastAttempt.resolve(response));
  const { id } = await sendTest(owner, webhook);
  await settled(owner, { id, state: "queued", attempts: 1 });
  await sql`update webhook_message set attempts = 7 where id = ${id}::uuid`.execute(app.db);
  clock.advance(5_000);
  const response = await lastAttempt.promise;
  const again = await owner.call(contract.replayMessage, { query: { ...query, message_id: id } });
  expect(again.json()).toMatchObject({ id, state: "queued", attempts: 0 });
  response.writeHead(500).end();
  await settled(owner, { id, state: "queued", attempts: 1, answer: "500" });
  expect(await receiver.gets(3)).toHaveLength(3);
  await settled(owner, { id, state: "delivered", attempts: 2, answer: "200" });
});

test("OP-15 all messages that failed since a time are sent again, and no others", async () => {
  const app = await startApp();
  const owner = await app.owner(ACME);
  const receiver = await startReceiver(app);
  const { webhook } = await addWebhook(owner, receiver.url());
  const sent = [];
  for (const _each of [1, 2, 3, 4]) {
    sent.push((await sendTest(owner, webhook)).id);
    await settled(owner, { state: "delivered", id: sent.at(-1) ?? "" });
  }
  await sql`update webhook_message set state = 'failed' where id <> ${sent[3]}::uuid`.execute(app.db);
  await sql`update webhook_message set created_at = now() - interval '2 days' where id = ${sent[0]}::uuid`.execute(
    app.db,
  );
  const since = new Date(Date.now() - 24 * 3_600_000).toISOString();
  const reply = await owner.call(contract.replayFailed, {
    query: { ...query, endpoint_id: webhook.id },
    json: { since },
  });
  expect(reply.json()).toEqual({ messages: 2 });
  const got = await receiver.gets(6);
  const again = got.slice(4).map(({ headers }) => headers["webhook-id"]);
  expect(new Set(again)).toEqual(new Set([sent[1], sent[2]]));
});

test("OP-15 whatever a receiver does, an attempt ends within its time, follows no redirect and keeps nothing of the answer", async () => {
  const app = await startApp();
  const owner = await app.owner(ACME);
  const [receiver, elsewhere] = [await startReceiver(app), await startReceiver(app)];
  const { webhook } = await addWebhook(owner, receiver.url());
  const misbehaviors: Record<string, Misbehavior> = {
    "a redirect": [(response) => response.writeHead(307, { location: elsewhere.url() }).end(), "307"],
    "a closed connection": [(response) => response.destroy(), "ECONNRESET"],
    "a refusal with a text": [(response) => response.writeHead(400).end("secret words"), "400"],
    "huge headers": [
      (response) => response.writeHead(200, { "x-huge": "h".repeat(100_000) }).end(),
      "HPE_HEADER_OVERFLOW",
    ],
    "no answer": [() => undefined, "timeout"],
  };
  for (const [name, [misbehave, answer]] of Object.entries(misbehaviors)) {
    receiver.answer(misbehave);
    const { id } = await sendTest(owner, webhook);
    const { state } = await settled(owner, { id, attempts: 1, answer }, answer === "timeout" ? 12_000 : 100);
    expect(state, name).toBe("queued");
  }
  const endless = Promise.withResolvers<boolean>();
  receiver.answer((response) => {
    response.writeHead(200);
    const timer = setInterval(() => response.write("x".repeat(65_536)), 1);
    response.on("close", () => {
      clearInterval(timer);
      endless.resolve(true);
    });
  });
  const { id } = await sendTest(owner, webhook);
  await app.settle(100);
  // The answer begins by the receiver's own time.
  expect(await endless.promise).toBe(true);
  await settled(owner, { id, state: "delivered", answer: "200" });
  expect(elsewhere.got).toEqual([]);
  const { rows } = await sql<{
    text: string;
  }>`select webhook_message::text as text from webhook_message`.execute(app.db);
  expect(rows.map(({ text }) => text).join()).not.toContain("secret words");
}, 120_000);

type Misbehavior = [(response: ServerResponse) => unknown, string];

test("OP-15 a worker that lost its run to another records nothing, and the message comes again under the same id", async () => {
  const app = await startApp();
  const owner = await app.owner(ACME);
  const receiver = await startReceiver(app);
  const { webhook } = await addWebhook(owner, receiver.url());
  // Another worker takes the run while the first one waits for its answer, as after its lease has ended.
  const takeOver = Promise.withResolvers<ServerResponse>();
  receiver.answer((response) => takeOver.resolve(response));
  const { id } = await sendTest(owner, webhook);
  const response = await takeOver.promise;
  await sql`update run set fence = fence + 1, state = 'queued', due_at = now() where subject = ${id}::uuid`.execute(
    app.db,
  );
  response.writeHead(200).end();
  const got = await receiver.gets(2);
  await settled(owner, { id, state: "delivered", attempts: 1 });
  expect(got.map(({ headers }) => headers["webhook-id"])).toEqual([id, id]);
  expect(got[0]?.body).toBe(got[1]?.body);
  expect((await list(owner)).messages).toHaveLength(1);
  const { rows } = await sql`select state from run where subject = ${id}::uuid`.execute(app.db);
  expect(rows).toEqual([{ state: "done" }]);
});

test("OP-15 a webhook that answers 410, or accepts nothing for days, is turned off, mailed about once, and on again when saved", async () => {
  const app = await startApp({ mail: true });
  const owner = await app.owner(ACME);
  const receiver = await startReceiver(app);
  const { webhook } = await addWebhook(owner, receiver.url());
  const save = () =>
    owner.call(contract.saveWebhook, {
      query: { ...query, endpoint_id: webhook.id },
      json: { url: receiver.url(), events: ["connection.lost"] },
    });
  const mails = async () =>
    (
      await sql<{
        params: object;
      }>`select params from notice_mail where kind = 'webhook_off' order by created_at`.execute(app.db)
    ).rows.map(({ params }) => params);
  const host = new URL(receiver.url()).host;
  receiver.answer(410);
  await sendTest(owner, webhook);
  await settled(owner, { state: "failed", answer: "410" });
  expect((await list(owner)).webhooks).toMatchObject([{ state: "gone" }]);
  const refused = await owner.call(contract.testWebhook, { query: { ...query, endpoint_id: webhook.id } });
  expect([refused.status, (refused.json() as { code: string }).code]).toEqual([409, "webhook_off"]);
  await uploadRows(owner, ACME, invoiceRows(1, { prefix: "OFF" }));
  await settledUploads(owner, ACME);
  expect((await list(owner)).messages).toHaveLength(1);

  expect((await save()).json()).toMatchObject({ state: "active", events: ["connection.lost"] });
  receiver.answer(500, 500, 500);
  await sendTest(owner, webhook);
  await settled(owner, { state: "queued", attempts: 1 });
  await sql`update webhook_endpoint set failing_since = now() - interval '5 days 1 minute'`.execute(app.db);
  await sendTest(owner, webhook);
  await settled(owner, { state: "queued", attempts: 1 });
  // One failure, days after another, is not enough.
  expect((await list(owner)).webhooks).toMatchObject([{ state: "active" }]);
  const newest = (await list(owner)).messages[0]?.id ?? "";
  await sql`update webhook_message set attempts = 7 where id = ${newest}::uuid`.execute(app.db);
  await sql`update run set state = 'queued', due_at = now() where subject = ${newest}::uuid`.execute(app.db);
  await settled(owner, { state: "failed", answer: "500" }, 6_000);
  expect((await list(owner)).webhooks).toMatchObject([{ state: "failing" }]);
  // A message that still waits is not sent to a webhook that is off.
  await sql`update run set state = 'queued', due_at = now() where kind = 'companies.deliver-webhook' and state = 'waiting'`.execute(
    app.db,
  );
  await app.settle();
  expect((await list(owner)).messages.map(({ state, answer }) => `${state} ${answer}`)).toEqual([
    "failed 500",
    "failed off",
    "failed 410",
  ]);
  expect(receiver.got).toHaveLength(4);
  const company = "Acme Tools";
  expect(await mails()).toEqual([
    { company, host, cause: "gone" },
    { company, host, cause: "failing" },
  ]);
});

test("OP-15 a message that is sent again while it ends because its webhook was off is delivered", async () => {
  const app = await startApp();
  const owner = await app.owner(ACME);
  const receiver = await startReceiver(app);
  const { webhook } = await addWebhook(owner, receiver.url());
  // It waits for its second attempt, 5 s later.
  receiver.answer(500);
  const { id } = await sendTest(owner, webhook);
  await settled(owner, { id, state: "queued", attempts: 1 });
  await sql`update webhook_endpoint set state = 'gone'`.execute(app.db);
  await app.db.transaction().execute(async (tx) => {
    await sql`update webhook_endpoint set state = 'active'`.execute(tx);
    await sql`update webhook_message set attempts = 0`.execute(tx);
    await app.settle(20_000);
  });
  await settled(owner, { id, state: "delivered", attempts: 1 }, 6_000);
  expect(receiver.got).toHaveLength(2);
});

test("OP-15 after its secret is replaced, messages are signed with both for a day; a removed webhook gets nothing more", async () => {
  const clock = steppedClock();
  const app = await startApp({ clock });
  const owner = await app.owner(ACME);
  const receiver = await startReceiver(app);
  const { webhook, secret: old } = await addWebhook(owner, receiver.url());
  const of = { query: { ...query, endpoint_id: webhook.id } };
  const { secret } = (await owner.call(contract.replaceSecret, of)).json() as { secret: string };
  const got = async (count: number) => {
    await sendTest(owner, webhook);
    const request = (await receiver.gets(count))[count - 1];
    if (!request) throw new Error("Nothing was posted.");
    return request;
  };
  const both = await got(1);
  expectSigned(both, [secret, old]);
  verify(secret, both);
  verify(old, both);
  clock.advance(11 * 3_600_000);
  await list(owner);
  clock.advance(11 * 3_600_000);
  await list(owner);
  clock.advance(2 * 3_600_000);
  expectSigned(await got(2), [secret]);

  const { connect } = app.application;
  const newer = parseSealingKeys(`newer:${randomBytes(32).toString("base64")}`);
  expect(await findWebhookKeys(app.db)).toEqual([connect.sealingKeys[0]?.id]);
  const sealingKeys = [...newer, ...connect.sealingKeys];
  await sealAgain({
    connect: { ...connect, sealingKeys },
    carrier: { ...app.application.carrier, sealingKeys },
    folders: { ...app.application.folders, sealingKeys },
  });
  expect(await findWebhookKeys(app.db)).toEqual(["newer"]);
  // Without a connection in use, only the webhook needs the key.
  const setState = (state: string) => sql`update intuit_connection set state = ${state}`.execute(app.db);
  await setState("disconnected");
  const older = connect.sealingKeys.map(({ id, key }) => `${id}:${key.toString("base64")}`).join();
  await expect(
    openSealingKeys({ ...app.application.config, sealingKeys: older }, app.db),
  ).rejects.toMatchObject({ sentences: [expect.stringContaining("lacks the key newer")] });
  await setState("connected");

  receiver.answer(500);
  await owner.call(contract.removeWebhook, of);
  expect(await list(owner)).toEqual({ webhooks: [], messages: [] });
  expect((await owner.call(contract.testWebhook, of)).status).toBe(404);
});

test("OP-15 messages are removed after 90 days with their runs, and no newer ones", async () => {
  const app = await startApp();
  const owner = await app.owner(ACME);
  const receiver = await startReceiver(app);
  const { webhook } = await addWebhook(owner, receiver.url());
  const [old, newer] = [await sendTest(owner, webhook), await sendTest(owner, webhook)];
  for (const { id } of [old, newer]) await settled(owner, { id, state: "delivered" });
  const age = sql`interval '90 days 1 minute'`;
  await sql`update webhook_message set created_at = created_at - ${age} where id = ${old.id}::uuid`.execute(
    app.db,
  );
  await sql`update run set finished_at = finished_at - ${age} where subject = ${old.id}::uuid`.execute(
    app.db,
  );
  await removeOldWebhookMessages(app.application.connect);
  expect((await list(owner)).messages.map(({ id }) => id)).toEqual([newer.id]);
  const { rows } = await sql`select subject from run where kind = 'companies.deliver-webhook'`.execute(
    app.db,
  );
  expect(rows).toEqual([{ subject: newer.id }]);
});

test("OP-15 only a company's own admin can use its webhooks: any other id is answered as one that isn't there", async () => {
  const app = await startApp({ worker: false });
  const owner = await app.owner(ACME);
  const { webhook } = await addWebhook(owner, "http://127.0.0.1:9/");
  const message = await sendTest(owner, webhook);
  const stranger = await app.owner(BAY, "platform@dockside.example");
  const of = { realm_id: BAY, endpoint_id: webhook.id };
  const json = { url: "http://127.0.0.1:9/", events: ["labels.made"] };
  const replies = [
    await stranger.call(contract.saveWebhook, { query: of, json }),
    await stranger.call(contract.removeWebhook, { query: of }),
    await stranger.call(contract.replaceSecret, { query: of }),
    await stranger.call(contract.testWebhook, { query: of }),
    await stranger.call(contract.replayFailed, { query: of, json: { since: "2026-01-01T00:00:00.000Z" } }),
    await stranger.call(contract.replayMessage, { query: { realm_id: BAY, message_id: message.id } }),
  ];
  expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 404));
  expect((await list(owner)).webhooks).toEqual([webhook]);
});

test("OP-15 an event is sent to the webhooks of its own company only", async () => {
  const app = await startApp({ worker: false });
  const owner = await app.owner(ACME);
  const { webhook } = await addWebhook(owner, "http://127.0.0.1:9/");
  const other = await app.owner(BAY, "platform@dockside.example");
  const json = { url: "http://127.0.0.1:9/", events: ["upload.finished"] };
  expect((await other.call(contract.addWebhook, { query: { realm_id: BAY }, json })).status).toBe(200);
  await addEvent(app.application.ctx, app.db, { realmId: ACME, event: "upload.finished", data: {} });
  const { rows } = await sql`select realm_id, endpoint_id from webhook_message`.execute(app.db);
  expect(rows).toEqual([{ realm_id: ACME, endpoint_id: webhook.id }]);
});

test("OP-15 no private address is called, however it is written, not even when a name changes to one later", async () => {
  const hosts: Record<string, readonly string[]> = {
    "public.example": ["93.184.216.34"],
    "mixed.example": ["93.184.216.34", "10.0.0.1"],
    "private.example": ["192.168.1.7"],
    "metadata.example": ["169.254.169.254"],
    "v6.example": ["fd00:ec2::254"],
    "changes.example": ["93.184.216.34"],
  };
  const looked: string[] = [];
  const resolve: Resolve = async (host) => {
    looked.push(host);
    return hosts[host]?.map((address) => ({ address })) ?? systemResolve(host);
  };
  const app = await startApp({ mode: "live", resolve });
  const receiver = await startReceiver(app);
  const owner = await app.owner(ACME);
  const add = async (url: string) => {
    const reply = await owner.call(contract.addWebhook, { query, json: { url, events: ["labels.made"] } });
    return reply.status === 200 ? "added" : (reply.json() as { code: string }).code;
  };
  const refused: Record<string, string> = {
    "https://127.0.0.1/": "webhook_private",
    "https://localhost/": "webhook_private",
    "https://2130706433/": "webhook_private",
    "https://0x7f.1/": "webhook_private",
    "https://0177.0.0.1/": "webhook_private",
    "https://[::1]/": "webhook_private",
    "https://[::ffff:10.0.0.1]/": "webhook_private",
    "https://[fe80::1]/": "webhook_private",
    "https://169.254.169.254/latest/meta-data/": "webhook_private",
    "https://mixed.example/": "webhook_private",
    "https://private.example/": "webhook_private",
    "https://metadata.example/": "webhook_private",
    "https://v6.example/": "webhook_private",
    "https://nowhere.invalid/": "webhook_unknown",
    "https://user:word@public.example/": "webhook_has_password",
    "http://public.example/": "webhook_not_https",
    "ftp://public.example/": "webhook_not_https",
    "public.example": "webhook_not_https",
  };
  const found: Record<string, string> = {};
  for (const url of Object.keys(refused)) found[url] = await add(url);
  expect(found).toEqual(refused);
  expect(await add("https://public.example/hooks#part")).toBe("added");
  expect((await list(owner)).webhooks.map(({ url }) => url)).toEqual(["https://public.example/hooks"]);

  const { webhook } = await addWebhook(owner, `https://changes.example:${new URL(receiver.url()).port}/`);
  hosts["changes.example"] = ["127.0.0.1"];
  const { id } = await sendTest(owner, webhook);
  await settled(owner, { id, state: "queued", attempts: 1, answer: "private" });
  // Saved while the product was a demo.
  await sql`update webhook_endpoint set url = ${receiver.url("/", "localhost")}`.execute(app.db);
  const plain = await sendTest(owner, webhook);
  await settled(owner, { id: plain.id, state: "queued", attempts: 1, answer: "not_https" });
  expect(receiver.connections()).toBe(0);
}, 120_000);

test("OP-15 a name is looked up once for an attempt, and the connection goes to the address that was checked", async () => {
  const looked: string[] = [];
  const resolve: Resolve = async (host) => {
    looked.push(host);
    // The second look-up of an attempt would find another address.
    return [{ address: looked.length % 2 === 1 ? "127.0.0.1" : "10.0.0.1" }];
  };
  const app = await startApp({ resolve });
  const owner = await app.owner(ACME);
  const receiver = await startReceiver(app);
  const { webhook } = await addWebhook(owner, receiver.url("/", "hooks.example"));
  looked.push("saved");
  await sendTest(owner, webhook);
  const [message] = await receiver.gets(1);
  expect(message?.headers["host"]).toBe(new URL(receiver.url("/", "hooks.example")).host);
  await settled(owner, { state: "delivered" });
  expect(looked).toEqual(["hooks.example", "saved", "hooks.example"]);
});

test("OP-15 addresses that are not on the public internet", () => {
  const reachable = (reach: Reach, addresses: string) =>
    addresses.split(" ").filter((address) => isReachable(address, reach));
  const loopback = "127.0.0.1 127.255.255.254 ::1 ::ffff:127.0.0.1";
  const others =
    "0.0.0.0 10.0.0.1 100.64.0.1 100.127.255.254 169.254.169.254 172.16.0.1 172.31.255.254 192.0.0.1 192.168.0.1 " +
    "198.18.0.1 198.51.100.1 203.0.113.1 224.0.0.1 239.255.255.255 255.255.255.255 :: ::ffff:10.0.0.1 " +
    "::ffff:169.254.169.254 64:ff9b::a00:1 64:ff9b:1::1 2001::1 2002:a00:1::1 2001:db8::1 fc00::1 fd00:ec2::254 " +
    "fe80::1 fec0::1 ff02::1";
  const open =
    "1.1.1.1 93.184.216.34 100.63.0.1 100.128.0.1 172.15.0.1 172.32.0.1 2606:4700::1111 ::ffff:1.1.1.1";
  expect(reachable("public", `${loopback} ${others} ${open}`)).toEqual(open.split(" "));
  expect(reachable("loopback", `${loopback} ${others} ${open}`)).toEqual(`${loopback} ${open}`.split(" "));
});
