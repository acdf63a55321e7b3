import { createHmac } from "node:crypto";
import { sql } from "kysely";
import { expect, test } from "vitest";
import * as billing from "#features/billing/contract.ts";
import { createLog } from "#platform/log.ts";
import { readRow, runBilling, subscribe } from "../support/billing.ts";
import type { Browser } from "../support/browser.ts";
import { ACME } from "../support/intuit.ts";
import { startApp, type TestApp } from "../support/start-app.ts";
import { seededRandom } from "../faults/support/battery.ts";
import { expectProblem } from "./walk-endpoints.ts";

const REQUESTS = 1_000;
const WEBHOOK = "/stripe/webhook";
const SECRET = "whsec_dockside";

/** Instead of an id, an amount or a flag. */
const VALUES: readonly unknown[] = [
  "",
  " ",
  "\u0000",
  "evt_\u0000",
  "\ud800",
  "sub_\r\nX-Other: 1",
  "x".repeat(5_000),
  "ｓｕｂ＿１",
  "__proto__",
  "null",
  "'; delete from subscription; --",
  "../../v1/customers",
  "sub_1%00",
  "%2e%2e%2f",
  "{{7*7}}",
  "$(id)",
  0,
  -1,
  1.5,
  -2_900,
  1e308,
  2 ** 53,
  true,
  false,
  null,
  [],
  {},
  ["sub_1"],
  { $gt: "" },
  { id: "sub_1" },
  [[["sub_1"]]],
];
const BODIES = [
  "",
  "{",
  "[]",
  "null",
  '"sub_1"',
  "0",
  "{}}",
  "\u0000",
  "\ufeff{}",
  "price_id=price_1",
  '{"price_id":"a",}',
  "[".repeat(20_000),
  '{"a":'.repeat(5_000),
  `{"price_id":"${"x".repeat(2_000_000)}"}`,
];
const TYPES = [
  "text/plain",
  "application/xml",
  "multipart/form-data",
  "application/json; charset=utf-7",
  "x",
  "",
];
const HEADERS: readonly Record<string, string>[] = [
  {},
  ...TYPES.map((type) => ({ "content-type": type })),
  { "content-encoding": "gzip" },
  { "content-encoding": "x" },
  { origin: "null" },
  { origin: "https://evil.example" },
  { "idempotency-key": "k".repeat(4_000) },
  { "x-http-method-override": "DELETE" },
  { "realm-id": "1", "x-realm-id": "1" },
  { accept: "text/html" },
  { cookie: "dockside_session=%00; dockside_session=guess" },
];

type Odd = { method: string; path: string; headers: Record<string, string>; body?: string };

test("1,000 odd ids, amounts, headers and bodies sent to the payment calls and the webhook: each refused as a problem, none a 500 or a 422, nothing changed, no secret in the log", async () => {
  const lines: string[] = [];
  const log = createLog("debug", { write: (line) => void lines.push(line) });
  const app = await startApp({ worker: false, log });
  const owner = await app.owner(ACME);
  const id = await subscribe(app, owner);
  const { price_id: price } = await readRow(owner);
  const before = await readRecords(app);
  const random = seededRandom(11);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!;
  const statuses = new Set<string>();
  for (let count = 0; count < REQUESTS; count += 1) {
    const odd = count % 4 === 0 ? oddDelivery(pick, id) : oddCall(pick, { id, price });
    const { status, headers, text } = await send(owner, odd);
    statuses.add(`${odd.path === WEBHOOK ? "event" : "call"} ${status}`);
    const what = JSON.stringify(odd).slice(0, 300);
    expect([200, 400, 401, 403, 404, 405, 413, 415].includes(status), `${status} ${what}`).toBe(true);
    if (status >= 400 && odd.path !== WEBHOOK) expectProblem(headers, text);
  }
  await runBilling(app, "sync-events");
  expect(await readRecords(app)).toEqual(before);
  // Not each was refused for the same reason.
  for (const status of ["call 400", "call 403", "call 404", "call 413", "event 200", "event 400"])
    expect([...statuses]).toContain(status);
  const logged = lines.join("");
  const secrets = [SECRET, "sk_test_", "_secret_", ...owner.cookies.values()];
  for (const secret of secrets) expect(logged.includes(secret), secret).toBe(false);
});

type Pick = <T>(from: readonly T[]) => T;

/** A call that a page makes, with something in it that no page sends. */
function oddCall(pick: Pick, good: { id: string; price: string }): Odd {
  const { method, path } = pick([
    billing.listSubscriptions,
    billing.readPayer,
    billing.startPayment,
    billing.activateSubscription,
    billing.takeOverBilling,
    billing.openPortal,
  ]);
  const realm = pick([ACME, ACME, ACME, String(pick(VALUES)), `${ACME}&realm_id=1`, ""]);
  const fields = {
    price_id: pick<unknown>([good.price, good.price, pick(VALUES)]),
    subscription_id: pick<unknown>([good.id, pick(VALUES)]),
    [pick(["rate", "amount", "status", "trial", "currency", "customer", "end_date", "quantity"])]:
      pick(VALUES),
  };
  return {
    method: pick([method, method, method, method, "PUT"]),
    path: `${path}?realm_id=${pick([realm, encodeURIComponent(realm.toWellFormed())])}`,
    headers: { "content-type": "application/json", ...pick(HEADERS) },
    body: pick([JSON.stringify(fields), JSON.stringify(fields), pick(BODIES)]),
  };
}

/** A delivery of an event: unsigned, signed wrongly, or signed by Stripe itself and not what Stripe sends. */
function oddDelivery(pick: Pick, subscription: string): Odd {
  // One thing is odd, so that nothing else is the reason for a refusal.
  const odd = pick(["id", "type", "created", "livemode", "object", "kind", "subject", "data"]);
  const other = <T>(what: string, usual: T) => (what === odd ? pick(VALUES) : usual);
  const object = {
    object: other("kind", "subscription"),
    id: other("subject", subscription),
    status: "canceled",
  };
  const event = {
    id: other("id", "evt_odd"),
    type: other("type", "customer.subscription.deleted"),
    created: other("created", 1),
    livemode: other("livemode", false),
    api_version: "2023-10-16",
    data: other("data", { object: other("object", object) }),
  };
  const body = pick([...Array.from({ length: 5 }, () => JSON.stringify(event)), pick(BODIES)]);
  const at = Math.floor(Date.now() / 1000);
  const v1 = createHmac("sha256", SECRET).update(`${at}.${body}`).digest("hex");
  const signature = pick([
    `t=${at},v1=${v1}`,
    `t=${at},v1=${v1.toUpperCase()}`,
    `t=${at}.5,v1=${v1}`,
    "t=,v1=",
    "x",
  ]);
  const headers = { "content-type": pick(["application/json", "text/plain"]), "stripe-signature": signature };
  return { method: "POST", path: WEBHOOK, headers, body };
}

const send = (browser: Browser, { method, path, headers, body }: Odd) =>
  browser.request(path, { method, headers, ...(method === "GET" || body === undefined ? {} : { body }) });

/** All that a payment changes, here and at Stripe. */
async function readRecords({ db, stripe }: TestApp) {
  const queries = [
    "select realm_id, id, payer_id, email, customer_id, ended_at from billing_account",
    "select id, status, price_id, ends_at, period_end, ended_at from subscription",
    "select id, state from subscription_attempt",
    "select service, state, until, source, reason from company_service",
    "select * from service_trial",
    "select action from audit_entry",
  ];
  const ours = await Promise.all(queries.map(async (query) => (await sql.raw(query).execute(db)).rows));
  const theirs = await Promise.all(
    ["customer", "subscription", "charge", "payment_intent"].map((kind) => stripe.objects(kind)),
  );
  return { ours, theirs };
}
