import { sql } from "kysely";
import { expect, test } from "vitest";
import type { Endpoint } from "#contract/endpoint.ts";
import { ENDPOINTS } from "../../src/main/endpoints.ts";
import { ACME, BAY } from "../support/intuit.ts";
import type { Browser } from "../support/browser.ts";
import { appOfFile, NO_CALLER_LIMITS, startApp, type TestApp } from "../support/start-app.ts";
import { uploadRows } from "../support/uploads.ts";
import { askAll, changesState, everywhere, callName, samplePath, type RawRequest } from "./walk-endpoints.ts";
import { addMember, ageSessions, removeMember, setGroups } from "../support/members.ts";
import { GROUPS } from "#contract/endpoint.ts";

const OWNER = "owner@acme.example";
const STRANGER_REALM = "1234567890123456";

/** Calls for programs, which read no session: `test/security/isolation-cases.ts` tries their keys. */
const isForKeys = ({ access }: Endpoint) => access.kind === "key";
const closed = ENDPOINTS.filter((endpoint) => endpoint.access.kind !== "public" && !isForKeys(endpoint));
const companyCalls = ENDPOINTS.filter(({ access }) => access.kind === "member");
const changing = ENDPOINTS.filter((endpoint) => changesState(endpoint) && !isForKeys(endpoint));
const grouped = ENDPOINTS.filter(
  (endpoint) => "group" in endpoint.access && endpoint.access.group && !isForKeys(endpoint),
);
const adminCalls = ENDPOINTS.filter(({ access }) => access.kind === "member" && access.admin);

/** A refused call leaves the product as it was. */
const unchanged = appOfFile({ worker: false, limits: NO_CALLER_LIMITS });
/** A call that is admitted may end its session or its connection: each has new ones. */
const changed = appOfFile({ worker: "labels", limits: NO_CALLER_LIMITS });

const cookieHeader = (browser: Browser) => [...browser.cookies].map((pair) => pair.join("=")).join("; ");

/** A request as the product's own page sends it; `headers` change or add. */
function asPage(app: TestApp, browser: Browser, headers: Record<string, string> = {}) {
  return (endpoint: Endpoint, init: RawRequest = {}): RawRequest => ({
    ...init,
    headers: { cookie: cookieHeader(browser), origin: app.url, ...headers },
    ...(endpoint.file ? { body: formWithFile(endpoint.file.field) } : {}),
  });
}

function formWithFile(field: string): FormData {
  const body = new FormData();
  body.set(field, new Blob(["no workbook"]), "sample.xlsx");
  return body;
}

test.each([
  ["every reading call", ENDPOINTS.filter((endpoint) => !changesState(endpoint))] as const,
  ...changing.map((endpoint) => [callName(endpoint), [endpoint]] as const),
])(
  "GEN-12 %s answers the company's admin with all groups, by success or a problem of its own, so that the refusals below mean something",
  async (_name, calls) => {
    const app = changed();
    const browser = await app.owner(ACME);
    await setGroups(app.db, GROUPS);
    const send = asPage(app, browser);
    const request = (endpoint: Endpoint) => ({ path: samplePath(endpoint, ACME), init: send(endpoint) });
    const answers = await app.clock.during(askAll(app.url, request, calls));
    // Files of a company open under a grant only, also for an operator.
    for (const [name, answer] of Object.entries(answers))
      expect(answer, name).not.toMatch(/^(401|403(?! support_grant_needed)|5)/);
  },
);

test("AP-34 OI-12 calls with API keys accept no session, whose cookie another site could send along", async () => {
  const app = unchanged();
  const browser = await app.owner(ACME);
  const forKeys = ENDPOINTS.filter(isForKeys);
  expect(forKeys).not.toEqual([]);
  for (const headers of [{}, { "sec-fetch-site": "cross-site" }, { origin: "https://evil.example" }]) {
    const send = asPage(app, browser, headers);
    const request = (endpoint: Endpoint) => ({ path: samplePath(endpoint, ACME), init: send(endpoint) });
    expect(await askAll(app.url, request, forKeys)).toEqual(everywhere("401 key_required", forKeys));
  }
});

test("AP-34 every endpoint refuses a request without a session", async () => {
  const app = unchanged();
  const send = asPage(app, app.browser());
  const request = (endpoint: Endpoint) => ({ path: samplePath(endpoint, ACME), init: send(endpoint) });
  expect(await askAll(app.url, request, closed)).toEqual(everywhere("401 sign_in_required", closed));
});

test("every endpoint refuses an unknown session and an ended one", async () => {
  const app = await startApp({ worker: false });
  const browser = await app.owner(ACME);
  for (const cookie of ["dockside_session=guess", "dockside_session=", "dockside_session=%00", "other=1"]) {
    const send = asPage(app, browser, { cookie });
    const request = (endpoint: Endpoint) => ({ path: samplePath(endpoint, ACME), init: send(endpoint) });
    expect(await askAll(app.url, request, closed)).toEqual(everywhere("401 sign_in_required", closed));
  }
  await ageSessions(app.db, "12 hours 1 second", "last_seen_at");
  const send = asPage(app, browser);
  const request = (endpoint: Endpoint) => ({ path: samplePath(endpoint, ACME), init: send(endpoint) });
  expect(await askAll(app.url, request, closed)).toEqual(everywhere("401 sign_in_required", closed));
});

test("a session ends seven days after sign-in, however busy it was", async () => {
  const app = await startApp({ worker: false });
  const send = asPage(app, await app.owner(ACME));
  await ageSessions(app.db, "7 days 1 second");
  const request = (endpoint: Endpoint) => ({ path: samplePath(endpoint, ACME), init: send(endpoint) });
  expect(await askAll(app.url, request, closed)).toEqual(everywhere("401 sign_in_required", closed));
  expect((await sql`select from session`.execute(app.db)).rows).toHaveLength(0);
});

test("another user's company and an unknown company are refused in the same way, wherever they are named", async () => {
  const app = await startApp({ worker: false });
  await app.owner(BAY, "platform@dockside.example");
  const browser = await app.owner(ACME);
  const expected = everywhere("403 not_a_member", companyCalls);
  const texts = new Set<string>();
  for (const realmId of [BAY, STRANGER_REALM, "0", "x", "%", "9".repeat(500), `${ACME} `]) {
    const send = asPage(app, browser);
    const inQuery = (endpoint: Endpoint) => ({ path: samplePath(endpoint, realmId), init: send(endpoint) });
    expect(await askAll(app.url, inQuery, companyCalls), realmId).toEqual(expected);
    const reply = await browser.request(`/api/v1/invoices?${new URLSearchParams({ realm_id: realmId })}`);
    texts.add(JSON.stringify({ ...(reply.json() as object), request_id: "" }));
  }
  expect(texts.size).toBe(1);
  for (const realmId of [BAY, STRANGER_REALM]) {
    const send = asPage(app, browser, { "x-realm-id": realmId });
    const inHeader = (endpoint: Endpoint) => ({ path: samplePath(endpoint), init: send(endpoint) });
    expect(await askAll(app.url, inHeader, companyCalls)).toEqual(expected);
  }
});

test("the company in the address overrides the one in the header, so a call only reaches the company it names", async () => {
  const app = await startApp({ worker: "labels" });
  await app.owner(BAY, "platform@dockside.example");
  const browser = await app.owner(ACME);
  const ownInHeader = asPage(app, browser, { "x-realm-id": ACME });
  const foreignAddress = (endpoint: Endpoint) => ({
    path: samplePath(endpoint, BAY),
    init: ownInHeader(endpoint),
  });
  expect(await askAll(app.url, foreignAddress, companyCalls)).toEqual(
    everywhere("403 not_a_member", companyCalls),
  );
  const foreignInHeader = asPage(app, browser, { "x-realm-id": BAY });
  const ownAddress = (endpoint: Endpoint) => ({
    path: samplePath(endpoint, ACME),
    init: foreignInHeader(endpoint),
  });
  const answers = await askAll(app.url, ownAddress, companyCalls);
  for (const [name, answer] of Object.entries(answers)) expect(answer, name).not.toMatch(/^(401|403|5)/);
});

test("two companies in one address are refused", async () => {
  const app = unchanged();
  const send = asPage(app, await app.owner(ACME));
  const request = (endpoint: Endpoint) => ({
    path: `${samplePath(endpoint, ACME)}&realm_id=${BAY}`,
    init: send(endpoint),
  });
  expect(await askAll(app.url, request, companyCalls)).toEqual(
    everywhere("400 invalid_request", companyCalls),
  );
});

test("LB-11 (its server side) RL-07 every endpoint of a group refuses users outside it, even in their own company", async () => {
  const app = await startApp({ worker: false });
  const browser = await app.owner(ACME);
  await setGroups(app.db, []);
  const send = asPage(app, browser);
  const request = (endpoint: Endpoint) => ({ path: samplePath(endpoint, ACME), init: send(endpoint) });
  expect(await askAll(app.url, request, grouped)).toEqual(everywhere("403 missing_group", grouped));
});

test("what is reserved for the company admin is refused to other members", async () => {
  const app = await startApp({ worker: false });
  await app.owner(ACME);
  const clerk = app.browser();
  await clerk.signIn("clerk@acme.example");
  await addMember(app.db, ACME, "clerk@acme.example");
  await setGroups(app.db, GROUPS);
  const send = asPage(app, clerk);
  const request = (endpoint: Endpoint) => ({ path: samplePath(endpoint, ACME), init: send(endpoint) });
  expect(await askAll(app.url, request, adminCalls)).toEqual(everywhere("403 not_company_admin", adminCalls));
});

test.each<[string, Record<string, string>]>([
  ["another site", { origin: "https://evil.example" }],
  ["a site whose name begins like ours", { origin: "http://localhost.evil.example" }],
  ["another port of this machine", { origin: "http://localhost:1" }],
  ["a page without an origin", { origin: "null" }],
  ["a sandboxed or opaque page", { "sec-fetch-site": "cross-site" }],
  ["a sibling below the same domain", { "sec-fetch-site": "same-site" }],
  ["a typed address", { "sec-fetch-site": "none" }],
  ["nowhere", { origin: "" }],
])("AP-34 every state-changing call refuses a request that comes from %s", async (_place, headers) => {
  const app = unchanged();
  const send = asPage(app, await app.owner(ACME), headers);
  const request = (endpoint: Endpoint) => ({ path: samplePath(endpoint, ACME), init: send(endpoint) });
  expect(await askAll(app.url, request, changing)).toEqual(everywhere("403 cross_site", changing));
});

test("AP-34 every state-changing call refuses a request that does not say where it comes from", async () => {
  const app = unchanged();
  const cookie = cookieHeader(await app.owner(ACME));
  const request = (endpoint: Endpoint) => ({
    path: samplePath(endpoint, ACME),
    init: { headers: { cookie } },
  });
  expect(await askAll(app.url, request, changing)).toEqual(everywhere("403 cross_site", changing));
});

test.each(["text/plain", "application/x-www-form-urlencoded"])(
  "a body that any site's form can send (%s) is accepted by no state-changing call",
  async (type) => {
    const app = unchanged();
    const send = asPage(app, await app.owner(ACME), { "content-type": type });
    const request = (endpoint: Endpoint) => ({
      path: samplePath(endpoint, ACME),
      init: { ...send(endpoint), body: '{"a":"b"}' },
    });
    expect(await askAll(app.url, request, changing)).toEqual(everywhere("415 wrong_media_type", changing));
  },
);

test("a removed member is refused at the next request, in all of their browsers", async () => {
  const app = await startApp({ worker: false });
  const browsers = [await app.owner(ACME), app.browser()];
  await browsers[1]?.signIn(OWNER);
  await removeMember(app.db, OWNER);
  for (const browser of browsers) {
    const send = asPage(app, browser);
    const request = (endpoint: Endpoint) => ({ path: samplePath(endpoint, ACME), init: send(endpoint) });
    expect(await askAll(app.url, request, companyCalls)).toEqual(
      everywhere("403 not_a_member", companyCalls),
    );
  }
});

test("an unknown id and the id of another company's upload get the same response: 404, and the upload is unchanged", async () => {
  const app = await startApp({ worker: false });
  const other = await app.owner(BAY, "platform@dockside.example");
  const upload = await uploadRows(other, BAY, [{ Customer: "Cool Cars", Item: "Claw Hammer", Qty: 1 }]);
  const { id } = upload.json() as { id: string };
  const list = async () => (await other.request(`/api/v1/invoices?realm_id=${BAY}`)).text;
  const before = await list();
  const send = asPage(app, await app.owner(ACME));
  const withIds = companyCalls.filter(({ path, body }) => /:\w*id\b/.test(path) && !body);
  for (const wanted of [id, undefined]) {
    const request = (endpoint: Endpoint) => ({
      path: samplePath(endpoint, ACME, wanted),
      init: send(endpoint),
    });
    expect(await askAll(app.url, request, withIds)).toEqual(everywhere("404 not_found", withIds));
  }
  expect(before).toContain(id);
  expect(await list()).toBe(before);
});

test("every successful response with data is kept out of caches", async () => {
  const app = await startApp({ worker: false });
  const browser = await app.owner(ACME);
  const cookie = cookieHeader(browser);
  for (const endpoint of ENDPOINTS.filter((endpoint) => !changesState(endpoint))) {
    const reply = await fetch(new URL(samplePath(endpoint, ACME), app.url), { headers: { cookie } });
    await reply.body?.cancel();
    expect(reply.headers.get("cache-control"), endpoint.path).toMatch(/^no-store$|^no-cache/);
    expect(reply.headers.get("access-control-allow-origin"), endpoint.path).toBeNull();
  }
});
