import { once } from "node:events";
import { connect } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import {
  addUser,
  changeSettings,
  disconnectCompany,
  followChanges,
  listCompanies,
  removeUser,
} from "#features/companies/contract.ts";
import { publishChange } from "#platform/events/change-feed.ts";
import type { Browser } from "../../../test/support/browser.ts";
import { ACME, BAY } from "../../../test/support/intuit.ts";
import { CUSTOMER, restoreOrder } from "#features/orders/contract.ts";
import { cancelOrder, listShipments, voidShipment, type LabelHistory } from "#features/shipping/contract.ts";
import { acceptAll, addMember, removeMember } from "../../../test/support/members.ts";
import { openShippingDesk } from "../../../test/support/shipping.ts";
import { startApp, type TestApp } from "../../../test/support/start-app.ts";
import { uploadRows } from "../../../test/support/uploads.ts";

const line = (number: string) => ({
  "Invoice No": number,
  Customer: "Cool Cars",
  "Invoice Date": "2026-11-02",
  Item: "Claw Hammer",
  Amount: 10,
});

/** Reads the stream like a browser and collects it in `text`. */
async function follow(
  app: TestApp,
  browser: Browser,
): Promise<{ status: number; text(): string; ended(): boolean }> {
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const response = await fetch(new URL(followChanges.path, app.url), {
    headers: { cookie },
    signal: stop.signal,
  });
  let text = "";
  let ended = false;
  const read = async () => {
    for await (const chunk of response.body ?? []) text += Buffer.from(chunk).toString();
    ended = true;
  };
  read().catch(() => (ended = true));
  return { status: response.status, text: () => text, ended: () => ended };
}

test("QC-22 a change of a company reaches its members at once, and no other user", async () => {
  const app = await startApp({ worker: false });
  const owner = await app.owner(ACME);
  const other = await app.owner(BAY, "platform@dockside.example");
  const [mine, theirs] = [await follow(app, owner), await follow(app, other)];
  expect(mine.status).toBe(200);
  await app.settle(0);
  expect(mine.text()).toContain("retry:");
  await app.settle(0);
  expect(theirs.text()).toContain("retry:");
  // Label changes are only for the call that waits for them.
  await publishChange(app.db, { realmId: ACME, kind: "labels" });
  await uploadRows(owner, ACME, [line("Q-1")]);
  await app.settle(0);
  expect(mine.text()).toContain(`event: change\ndata: {"realm_id":"${ACME}","kind":"invoices"}`);
  expect(mine.text()).not.toContain("labels");
  await uploadRows(other, BAY, [line("")]);
  await app.settle(0);
  expect(theirs.text()).toContain(BAY);
  expect(theirs.text()).not.toContain(ACME);
  expect(mine.text()).not.toContain(BAY);
});

test("QC-22 a removed user receives no further change of the company", async () => {
  const app = await startApp({ worker: false });
  const owner = await app.owner(ACME);
  const clerk = app.browser();
  await clerk.signIn("clerk@acme.example");
  await addMember(app.db, ACME, "clerk@acme.example");
  const [mine, theirs] = [await follow(app, owner), await follow(app, clerk)];
  await app.settle(0);
  expect(mine.text() + theirs.text()).toMatch(/retry:[^]*retry:/);
  await uploadRows(owner, ACME, [line("Q-1")]);
  await app.settle(0);
  expect(theirs.text()).toContain(ACME);
  await app.settle(0);
  const received = theirs.text();
  await removeMember(app.db, "clerk@acme.example");
  const before = mine.text().length;
  await uploadRows(owner, ACME, [line("Q-2")]);
  await app.settle(0);
  expect(mine.text().length).toBeGreaterThan(before);
  expect(theirs.text()).toBe(received);
});

const hintEvent = (kind: string) => `event: change\ndata: {"realm_id":"${ACME}","kind":"${kind}"}`;

test("QC-22 a removed user is notified in every browser at once, loses access, and receives nothing more", async () => {
  const app = await startApp({ worker: false, limits: { checkStreamsMs: 3_600_000 } });
  const owner = await app.owner(ACME);
  const clerks = [app.browser(), app.browser()];
  for (const clerk of clerks) await clerk.signIn("clerk@acme.example");
  const query = { realm_id: ACME, email: "clerk@acme.example" };
  await owner.call(addUser, { query });
  await acceptAll(clerks[0]!);
  const streams = await Promise.all(clerks.map((clerk) => follow(app, clerk)));
  const texts = () => streams.map((stream) => stream.text()).join();
  await app.settle(0);
  expect(texts()).toMatch(/retry:[^]*retry:/);
  const before = streams.map((stream) => stream.text().length);
  await owner.call(removeUser, { query });
  await app.settle(0);
  for (const [index, stream] of streams.entries())
    expect(stream.text().slice(before[index])).toContain(hintEvent("companies"));
  for (const clerk of clerks) expect((await clerk.call(listCompanies)).json()).toEqual({ companies: [] });
  await app.settle(0);
  const received = texts();
  await uploadRows(owner, ACME, [line("Q-1")]);
  await owner.call(changeSettings, { query: { realm_id: ACME }, json: { contact_email: "" } });
  const mine = await follow(app, owner);
  await app.settle(0);
  expect(mine.text()).toContain("retry:");
  await owner.call(changeSettings, { query: { realm_id: ACME }, json: { contact_email: "a@b.example" } });
  await app.settle(0);
  expect(mine.text()).toContain(hintEvent("companies"));
  expect(texts()).toBe(received);
});

test.each([
  [
    "a user is added",
    (owner: Browser) => owner.call(addUser, { query: { realm_id: ACME, email: "new@acme.example" } }),
  ],
  [
    "settings change",
    (owner: Browser) =>
      owner.call(changeSettings, { query: { realm_id: ACME }, json: { contact_email: "" } }),
  ],
  ["it is disconnected", (owner: Browser) => owner.call(disconnectCompany, { query: { realm_id: ACME } })],
  ["it is connected again", (owner: Browser) => owner.connect("owner@acme.example", ACME)],
])("QC-22 the members of a company are notified when %s, and read it again", async (_what, change) => {
  const app = await startApp({ worker: false });
  const owner = await app.owner(ACME);
  const clerk = app.browser();
  await clerk.signIn("clerk@acme.example");
  await addMember(app.db, ACME, "clerk@acme.example");
  const stream = await follow(app, clerk);
  await app.settle(0);
  expect(stream.text()).toContain("retry:");
  await change(owner);
  await app.settle(0);
  expect(stream.text()).toContain(hintEvent("companies"));
});

test("QC-22 a connection that Intuit ended is announced as soon as a call finds it", async () => {
  const app = await startApp({ worker: false });
  const owner = await app.owner(ACME);
  const stream = await follow(app, owner);
  await app.settle(0);
  expect(stream.text()).toContain("retry:");
  await app.intuit.control("tokens/revoke", { realmId: ACME });
  await expect(app.application.invoices.books(ACME).companyInfo()).rejects.toMatchObject({
    kind: "reconnect",
  });
  await app.settle(0);
  expect(stream.text()).toContain(hintEvent("companies"));
});

test("QC-22 members see at once that orders came in, were canceled, or have labels, and others don't", async () => {
  const { app, browser, addSamples, open, ship } = await openShippingDesk();
  const other = await app.owner(BAY, "platform@dockside.example");
  const [mine, theirs] = [await follow(app, browser), await follow(app, other)];
  await app.settle(0);
  expect(mine.text() + theirs.text()).toMatch(/retry:[^]*retry:/);
  const count = () => mine.text().split(hintEvent("orders")).length - 1;
  const notice = async (act: () => Promise<unknown>) => {
    const before = count();
    await act();
    await app.settle(0);
    expect(count()).toBeGreaterThan(before);
  };
  await notice(() => addSamples(1, 2));
  const [first] = await open();
  await notice(() =>
    browser.call(cancelOrder, { query: { customer: CUSTOMER, po_number: first?.po_number ?? "" } }),
  );
  await notice(() => browser.call(restoreOrder, { json: { order_id: first?.id } }));
  await notice(() => ship("80002"));
  const { labels } = (await browser.call(listShipments)).json() as LabelHistory;
  const query = { po_number: "80002", shipment: labels[0]?.shipment ?? "" };
  await notice(() => browser.call(voidShipment, { query }));
  expect(theirs.text()).not.toContain("orders");
});

/** Asks for the stream and hangs up at once, as a page does that is left while it loads. */
async function askAndLeave({ url }: TestApp, browser: Browser): Promise<void> {
  const { port, hostname, host } = new URL(url);
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const client = connect(Number(port), hostname);
  await once(client, "connect");
  client.end(`GET ${followChanges.path} HTTP/1.1\r\nHost: ${host}\r\nCookie: ${cookie}\r\n\r\n`);
  client.resume();
  await once(client, "close");
}

test("pages that are left before their stream opens don't use up the streams of the session", async () => {
  const limits = { eventStreamsPerSession: 2 };
  const app = await startApp({ worker: false, limits });
  const owner = await app.owner(ACME);
  for (let times = 0; times < 3; times += 1) await askAndLeave(app, owner);
  await app.settle(0);
  expect((await follow(app, owner)).status).toBe(200);
});

test("QC-22 without a session there is no stream, and signing out ends it", async () => {
  const app = await startApp({ worker: false });
  expect((await follow(app, app.browser())).status).toBe(401);
  const owner = await app.owner(ACME);
  const stream = await follow(app, owner);
  await owner.request("/logout/", { method: "POST" });
  await app.settle(120_000);
  expect(stream.ended()).toBe(true);
});
