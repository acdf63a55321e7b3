import { sql } from "kysely";
import { expect, test } from "vitest";
import { disconnectCompany } from "#features/companies/contract.ts";
import * as keys from "#features/programs/api-keys/contract.ts";
import type { ApiKey } from "#features/programs/api-keys/contract.ts";
import { listTrail } from "#features/companies/trail/contract.ts";
import { listOpenOrders, type OpenOrders } from "#features/shipping/contract.ts";
import { takeOrders } from "#features/orders/api/contract.ts";
import type { OrderDocumentResult } from "#features/orders/contract.ts";
import { HTTP_LIMITS } from "#platform/http/limits.ts";
import type { Browser, Reply } from "../../../../test/support/browser.ts";
import { ACME, BAY } from "../../../../test/support/intuit.ts";
import { setGroups } from "../../../../test/support/members.ts";
import { programOrder as order } from "../../../../test/support/orders.ts";
import { startApp, type TestApp } from "../../../../test/support/start-app.ts";

const ABOUT = { query: { realm_id: ACME } };

const makeKey = async (browser: Browser, name: string, realm_id = ACME) => {
  const reply = await browser.call(keys.makeKey, { query: { realm_id }, json: { name } });
  expect(reply.status, reply.text).toBe(200);
  return reply.json() as { key: ApiKey; secret: string };
};

const listKeys = async (browser: Browser) =>
  ((await browser.call(keys.listKeys, ABOUT)).json() as { keys: ApiKey[] }).keys;

/** Calls as a program does: no cookie, no origin. */
async function send(
  app: TestApp,
  authorization: string | null,
  body: unknown,
  { query = "", headers = {} }: { query?: string; headers?: Record<string, string> } = {},
): Promise<Omit<Reply, "location">> {
  app.clock.advance(1);
  const response = await fetch(`${app.url}${takeOrders.path}${query}`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      ...(authorization === null ? {} : { authorization }),
      ...headers,
    },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    text,
    json: () => JSON.parse(text) as unknown,
  };
}

const results = (reply: { text: string }) =>
  (JSON.parse(reply.text) as { orders: OrderDocumentResult[] }).orders.map(
    ({ po_number, result }) => `${po_number} ${result}`,
  );

async function start() {
  const app = await startApp({ worker: false });
  const browser = await app.owner(ACME);
  await setGroups(app.db, ["app", "brainchild", "admin"]);
  const open = async () =>
    ((await browser.call(listOpenOrders, ABOUT)).json() as OpenOrders).open.map(({ po_number }) => po_number);
  return { app, browser, open };
}

test("OI-11 a program adds one order or many with a company's key, idempotently by PO number, each with its own result", async () => {
  const { app, browser, open } = await start();
  const { secret, key } = await makeKey(browser, "Warehouse");
  const as = `Bearer ${secret}`;
  expect(results(await send(app, as, order(1)))).toEqual(["90001 added"]);
  const no_zip = { ...order(4).ship_to, zip: "895" };
  const batch = [
    order(1),
    order(1, { lines: [{ ...order(1).lines[0], qty: 3 }] }),
    order(2),
    order(2),
    order(3, { ship_to: { name: "Jane" }, color: "red" }),
    order(4, { ship_to: no_zip }),
    order(5, { partner: "unknown" }),
    "no order",
    order(6),
  ];
  const reply = await send(app, as, batch);
  expect(reply.status).toBe(200);
  expect(results(reply)).toEqual([
    "90001 same",
    "90001 waiting",
    "90002 added",
    "90002 same",
    "90003 refused",
    "90004 refused",
    "90005 refused",
    " refused",
    "90006 added",
  ]);
  const { orders } = reply.json() as { orders: OrderDocumentResult[] };
  expect(orders[4]?.problems).toEqual([
    'The field "lines" of "ship_to" is missing.',
    'The field "city" of "ship_to" is missing.',
    "The body has unknown fields: color.",
  ]);
  expect(orders[5]?.problems).toEqual(['The ship-to ZIP code is "895". A ZIP code has 5 or 9 digits.']);
  expect(orders[6]?.problems).toEqual(['The retailer "unknown" isn\'t known here.']);
  expect(orders[7]?.problems).toEqual(["The body must be an object."]);
  expect(results(await send(app, as, batch))[1]).toBe("90001 waiting");
  expect(await open()).toEqual(["90001", "90002", "90006"]);
  const raw = ` [ ${JSON.stringify(order(7))} ]\n`;
  expect(results(await send(app, as, raw))).toEqual(["90007 added"]);
  const { rows } = await sql<{
    channel: string;
    content: Buffer;
    received_by: string;
  }>`select channel, content,
    received_by from order_document order by received_at desc limit 1`.execute(app.db);
  expect(rows.map(({ content, ...rest }) => ({ ...rest, text: content.toString() }))).toEqual([
    { channel: "api", received_by: "API key Warehouse", text: raw },
  ]);
  const used = await sql<{ ids: object; user_id: string | null; after: object }>`select ids, user_id, after
    from audit_entry where action = 'orders.add' order by at, id limit 1`.execute(app.db);
  expect(used.rows).toEqual([
    {
      ids: { key_id: key.id, key_name: "Warehouse" },
      user_id: null,
      after: { file: "orders.json", channel: "api", documents: 1, added: 1, refused: 0 },
    },
  ]);
});

test("OI-11 500 orders fit in one call; 501 or none are refused, and so are bodies that are too large or not JSON", async () => {
  const { app, browser, open } = await start();
  const as = `Bearer ${(await makeKey(browser, "ERP")).secret}`;
  const many = Array.from({ length: 501 }, (_, number) => order(number, { gift_message: "m".repeat(1_000) }));
  const all = await send(app, as, many.slice(1));
  expect([all.status, new Set(results(all).map((result) => result.split(" ")[1]))]).toEqual([
    200,
    new Set(["added"]),
  ]);
  const code = async (body: unknown) => {
    const reply = await send(app, as, body);
    return `${reply.status} ${(reply.json() as { code: string }).code}`;
  };
  expect(await code(many)).toBe("400 too_many_orders");
  expect(await code([])).toBe("400 no_orders");
  expect(await code("null")).toBe("400 no_orders");
  expect(await code("{")).toBe("400 invalid_request");
  expect(await code('{"__proto__": {"po_number": "1"}}')).toBe("400 invalid_request");
  expect(await code([order(1, { gift_message: "x".repeat(5 * 1024 * 1024) })])).toBe("413 too_large");
  expect(await open()).toHaveLength(500);
});

test("OI-11 an order with control characters or lone surrogates anywhere is refused, and its number is never used as a path", async () => {
  const { app, browser, open } = await start();
  const as = `Bearer ${(await makeKey(browser, "ERP")).secret}`;
  const hostile = ["a\u0000b", "a\u0001b", "a\u007fb", "\ud83d", "\udc00b"];
  const texts = hostile.flatMap((bad) => [
    order(1, { po_number: bad }),
    order(1, { gift_message: bad }),
    order(1, { [bad]: "x" }),
    order(1, { partner: bad }),
    order(1, { ship_to: { ...order(1).ship_to, [bad]: bad } }),
    order(1, { lines: [{ ...order(1).lines[0], description: bad }] }),
    order(1, { lines: [{ ...order(1).lines[0], qty: bad }] }),
  ]);
  const reply = await send(app, as, texts);
  expect(reply.status, reply.text).toBe(200);
  expect(new Set(results(reply).map((result) => result.split(" ").at(-1)))).toEqual(new Set(["refused"]));
  expect(await open()).toEqual([]);
  expect(results(await send(app, as, order(1, { po_number: "../../etc/passwd" })))).toEqual([
    "../../etc/passwd added",
  ]);
  const { rows } = await sql<{ slip_file: string }>`select slip_file from retail_order`.execute(app.db);
  expect(rows[0]?.slip_file).toMatch(/^-etc-passwd-[\da-f]{8}-packing-slip\.pdf$/);
});

test("OI-12 an API key is created by the admin, shown once, stored as a hash, listed with its last use, and revoked at once", async () => {
  const { app, browser } = await start();
  const { key, secret } = await makeKey(browser, "Warehouse");
  expect(secret).toMatch(/^dk_[\w-]{43}$/);
  expect(key).toMatchObject({
    name: "Warehouse",
    ending: secret.slice(-4),
    created_by: "owner@acme.example",
  });
  const [listed] = await listKeys(browser);
  expect(listed).toEqual(key);
  expect((await browser.call(keys.listKeys, ABOUT)).text).not.toContain(secret);
  const { rows } = await sql<{ row: string }>`select k::text as row from company_key k
    union all select a::text from audit_entry a`.execute(app.db);
  expect(rows.map(({ row }) => row).join("\n")).not.toContain(secret);
  const again = await browser.call(keys.makeKey, { ...ABOUT, json: { name: "warehouse" } });
  expect([again.status, (again.json() as { code: string }).code]).toEqual([409, "key_name_used"]);
  expect((await send(app, `Bearer ${secret}`, order(1))).status).toBe(200);
  expect(Date.parse((await listKeys(browser))[0]?.last_used_at ?? "")).toBeGreaterThan(0);
  const revoke = () => browser.call(keys.revokeKey, { query: { ...ABOUT.query, key_id: key.id } });
  expect([(await revoke()).status, (await revoke()).status]).toEqual([200, 200]);
  expect((await send(app, `Bearer ${secret}`, order(2))).status).toBe(401);
  expect((await listKeys(browser))[0]?.revoked_at).not.toBeNull();
  await makeKey(browser, "Warehouse");
  const { entries } = (await browser.call(listTrail, ABOUT)).json() as {
    entries: { title: string; user: string | null }[];
  };
  expect(entries.slice(0, 4).map(({ title, user }) => [title, user])).toEqual([
    ["Created the API key Warehouse", "owner@acme.example"],
    ["Revoked the API key Warehouse", "owner@acme.example"],
    ["Added orders from orders.json", "API key Warehouse"],
    ["Created the API key Warehouse", "owner@acme.example"],
  ]);
});

test("OI-12 a company has at most 20 keys in use", async () => {
  const { browser } = await start();
  for (let count = 1; count <= 20; count += 1) await makeKey(browser, `Key ${count}`);
  const more = await browser.call(keys.makeKey, { ...ABOUT, json: { name: "Key 21" } });
  expect([more.status, (more.json() as { code: string }).code]).toEqual([409, "too_many_keys"]);
});

test("OI-12 a key reaches only its own company; a revoked, malformed or unknown key, or a session, reaches none", async () => {
  const { app, browser, open } = await start();
  const other = await app.owner(BAY, "platform@dockside.example");
  const bays = (await makeKey(other, "Bay", BAY)).secret;
  const acmes = (await makeKey(browser, "Acme")).secret;
  const refused = new Set<string>();
  const expectRefused = async (authorization: string | null, more: Parameters<typeof send>[3] = {}) => {
    const reply = await send(app, authorization, order(1), more);
    const { request_id: _own, ...problem } = reply.json() as Record<string, unknown>;
    expect(reply.status, `${authorization} ${JSON.stringify(more)}`).toBe(401);
    refused.add(JSON.stringify(problem));
  };
  await expectRefused(`Bearer ${bays}`, { query: `?realm_id=${ACME}` });
  await expectRefused(`Bearer ${bays}`, { headers: { "x-realm-id": ACME } });
  await expectRefused(`Bearer ${bays}`, { query: `?realm_id=${BAY}&realm_id=${ACME}` });
  const cookie = [...browser.cookies].map((pair) => pair.join("=")).join("; ");
  for (const wrong of [null, "", "Bearer", "Bearer dk_", acmes, `Basic ${acmes}`, `Bearer ${acmes}x`])
    await expectRefused(wrong, { headers: { cookie, origin: app.url } });
  for (const wrong of [`dk_${"a".repeat(43)}`, acmes.slice(3), acmes.slice(0, -1), `${acmes} ${acmes}`])
    await expectRefused(`Bearer ${wrong}`);
  expect(refused.size).toBe(1);
  expect(await open()).toEqual([]);
  expect(results(await send(app, `Bearer ${bays}`, order(1), { query: `?realm_id=${BAY}` }))).toEqual([
    "90001 added",
  ]);
  expect(await open()).toEqual([]);
  await other.call(disconnectCompany, { query: { realm_id: BAY } });
  await expectRefused(`Bearer ${bays}`);
});

test("OI-12 each key has its own limit, and other keys are not slowed", async () => {
  const app = await startApp({ worker: false, limits: { ...HTTP_LIMITS, callsPerMinute: 20 } });
  const browser = await app.owner(ACME);
  const [first, second] = [(await makeKey(browser, "One")).secret, (await makeKey(browser, "Two")).secret];
  const status = async (secret: string) => (await send(app, `Bearer ${secret}`, order(1))).status;
  expect([await status(first), await status(first), await status(first)]).toEqual([200, 200, 429]);
  expect(await status(second)).toBe(200);
});
