import { createHmac } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeEach, expect, test } from "vitest";
import { ACME, BAY, invoiceBody, openTestBooks } from "./test-kit.ts";
import { signBody } from "./webhook-events.ts";

type Received = { signature: string; text: string; events: { id: string; type: string }[] };
const received: Received[] = [];
let answers: number[] = [];
const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    const text = Buffer.concat(chunks).toString();
    received.push({
      signature: String(request.headers["intuit-signature"]),
      text,
      events: JSON.parse(text) as Received["events"],
    });
    response.writeHead(answers.shift() ?? 200).end();
  });
});
server.listen(0, "localhost");
await once(server, "listening");
afterAll(() => void server.close());
const url = `http://localhost:${(server.address() as AddressInfo).port}/intuit/webhook`;

const { intuit, acme } = await openTestBooks();
const register = (webhookUrl: string | null) =>
  intuit.control("POST", "clients", { client_id: "dockside-demo", webhook_url: webhookUrl });
const behave = (webhooks: object) => intuit.control("PATCH", "settings", { webhooks });
const edit = (id: string, realmId = ACME) =>
  intuit.control("POST", `books/${realmId}/invoice/${id}`, { PrivateNote: crypto.randomUUID() });
const sign = (text: string, token = "sim-verifier-token") =>
  createHmac("sha256", token).update(text).digest("base64");
const arrived = (count: number) => expect.poll(() => received).toHaveLength(count);
const settled = () =>
  expect
    .poll(async () => {
      const { waiting, deliveries } = await intuit.control("GET", "webhooks");
      const open = (deliveries as unknown as { due_at: string | null }[]).filter(
        ({ due_at: due }) => due !== null,
      );
      return [waiting, open];
    })
    .toEqual([0, []]);

beforeEach(async () => {
  await register(null);
  await behave({});
  await intuit.control("DELETE", "webhooks");
  await register(url);
  received.length = 0;
  answers = [];
});

test("nothing is queued while no address is registered", async () => {
  await register(null);
  await edit("101");
  expect(await intuit.control("GET", "webhooks")).toEqual({ waiting: 0, deliveries: [] });
});

test("each change of an invoice is announced, signed, with the id and the verb but no value", async () => {
  const created = await acme.api("POST", "invoice", { body: invoiceBody({ DocNumber: "WH-1" }) });
  const { Id: id } = created.body["Invoice"]!;
  await arrived(1);
  const [{ text, signature }] = received as [Received];
  expect(signature).toBe(sign(text));
  expect(JSON.parse(text)).toEqual([
    {
      specversion: "1.0",
      id: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
      source: "intuit.simulator",
      type: "qbo.invoice.created.v1",
      datacontenttype: "application/json",
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/) as string,
      intuitentityid: id,
      intuitaccountid: ACME,
      data: {},
    },
  ]);
  const path = `books/${ACME}/invoice/${String(id)}`;
  await intuit.control("POST", path, { PrivateNote: "changed" });
  await intuit.control("POST", `${path}/pay`, {});
  await acme.api("POST", `invoice/${String(id)}/send?sendTo=a@b.example`);
  await intuit.control("POST", `${path}/void`, {});
  await intuit.control("POST", `${path}/delete`, {});
  await settled();
  expect(received.flatMap(({ events }) => events.map(({ type }) => type.split(".")[2]))).toEqual([
    "created",
    "updated",
    "updated",
    "emailed",
    "voided",
    "deleted",
  ]);
});

test("changes made on the pages are announced, those of other kinds and companies are not", async () => {
  await intuit.control("POST", `books/${ACME}/customer/1`, { Notes: "x" });
  await edit("101", "9130357849016952");
  await fetch(`${intuit.url}/qbo/${ACME}/invoices/102/memo`, {
    method: "POST",
    redirect: "manual",
    body: new URLSearchParams({ memo: "typed" }),
  });
  await arrived(1);
  await settled();
  expect(received.flatMap(({ events }) => events)).toMatchObject([{ intuitentityid: "102" }]);
});

test("a delivery that gets no 200 is retried on Intuit's schedule, and later events wait behind it", async () => {
  answers = [500, 202];
  await edit("101");
  await arrived(1);
  await edit("102");
  await edit("103");
  await intuit.control("POST", "clock", { advanceMs: 10_000 });
  await arrived(2);
  await intuit.control("POST", "clock", { advanceMs: 19_000 });
  expect(await intuit.control("GET", "webhooks")).toMatchObject({
    waiting: 2,
    deliveries: [{ client_id: "dockside-demo", attempts: 2, status: 202, events: 1 }],
  });
  await intuit.control("POST", "clock", { advanceMs: 1000 });
  await arrived(4);
  await settled();
  expect(received[1]).toEqual(received[0]);
  expect(received[2]).toEqual(received[0]);
  expect(received[3]!.events).toMatchObject([{ intuitentityid: "102" }, { intuitentityid: "103" }]);
});

test("the retry schedule is a setting, and its last wait repeats", async () => {
  await behave({ retrySeconds: [0, 60] });
  answers = [500, 500, 500, 500];
  await edit("101");
  await arrived(2);
  for (const count of [3, 4, 5]) {
    await intuit.control("POST", "clock", { advanceMs: 60_000 });
    await arrived(count);
  }
  await settled();
});

test("the older shape groups the changes by company", async () => {
  await behave({ shape: "legacy" });
  await edit("101");
  await arrived(1);
  expect(JSON.parse(received[0]!.text)).toEqual({
    eventNotifications: [
      {
        realmId: ACME,
        dataChangeEvent: {
          entities: [
            { id: "101", name: "Invoice", operation: "Update", lastUpdated: expect.any(String) as string },
          ],
        },
      },
    ],
  });
});

test("each company gets posts of its own, unless one post is to hold several", async () => {
  await intuit.unlimited(BAY);
  const bay = await intuit.connect(BAY);
  const { body } = await bay.api("POST", "invoice", { body: invoiceBody({ TxnDate: "2026-01-02" }) });
  const id = String(body["Invoice"]!["Id"]);
  await settled();
  for (const several of [false, true]) {
    received.length = 0;
    await behave({ several, waitMs: 60_000 });
    await edit(id, BAY);
    await edit("101");
    await intuit.control("POST", "clock", { advanceMs: 60_000 });
    await arrived(several ? 1 : 2);
    await settled();
  }
});

test("posts can be lost, duplicated, reordered, or wrongly signed", async () => {
  await behave({ lost: true });
  await edit("101");
  await settled();
  expect(received).toEqual([]);
  await behave({ duplicates: 1 });
  await edit("101");
  await arrived(2);
  expect(received[0]).toEqual(received[1]);

  received.length = 0;
  await behave({ reversed: true, perPost: 1, waitMs: 60_000 });
  for (const id of ["101", "102", "103"]) await edit(id);
  await intuit.control("POST", "clock", { advanceMs: 60_000 });
  await arrived(3);
  expect(received.flatMap(({ events }) => events)).toMatchObject(
    ["103", "102", "101"].map((id) => ({ intuitentityid: id })),
  );

  received.length = 0;
  await behave({ forged: true });
  answers = [401];
  await edit("101");
  await arrived(1);
  expect(received[0]!.signature).not.toBe(sign(received[0]!.text));
  await behave({});
  await intuit.control("POST", "clock", { advanceMs: 10_000 });
  await arrived(2);
  expect(received[1]!.signature).toBe(sign(received[1]!.text));
});

test("the signature of the documented example is reproduced", () => {
  const body =
    '[{"specversion":"1.0","id":"11111111-2222-4333-8444-555555555555","source":"intuit.simulator","type":"qbo.invoice.updated.v1","datacontenttype":"application/json","time":"2026-11-20T12:00:00Z","intuitentityid":"130","intuitaccountid":"9130357849016936","data":{}}]';
  expect(signBody(body, "sim-verifier-token")).toBe("UJA5lP1NV3/BWUahIrgxZ26h9JHHMZAirVOm7cCaGpA=");
});
