import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { ACME, readFault, invoiceBody, startTestIntuit } from "./test-kit.ts";

const intuit = await startTestIntuit();
let acme: Awaited<ReturnType<typeof intuit.connect>>;
beforeAll(() => intuit.unlimited());
beforeEach(async () => {
  await intuit.control("DELETE", "faults");
  acme = await intuit.connect();
});
afterAll(() => intuit.close());

const faults = (...rules: object[]) => intuit.control("POST", "faults", { rules });
const ping = () => acme.api("GET", "preferences");

test("429 comes as JSON or as XML, with code 3001", async () => {
  await faults({ fault: "429", once: true }, { fault: "429xml", once: true });
  const asJson = await ping();
  expect(readFault(asJson)).toMatchObject({ status: 429, code: "3001" });
  expect(asJson.body["Fault"]?.["type"]).toBe("SERVICE");
  const asXml = await ping();
  expect(asXml.status).toBe(429);
  expect(asXml.headers.get("content-type")).toBe("application/xml");
  expect(asXml.text).toContain('<Fault type="SERVICE"><Error code="3001"');
  expect(asXml.headers.get("intuit_tid")).toMatch(/^1-/);
  expect((await ping()).status).toBe(200);
});

test("a 429 can say when to retry, and can be formatted as in older recordings", async () => {
  await faults(
    { fault: "429", once: true, retryAfter: { seconds: 7 } },
    { fault: "429xml", once: true, retryAfter: { seconds: 90, as: "date" }, code: "003001", status: 403 },
  );
  expect((await ping()).headers.get("retry-after")).toBe("7");
  const { status, text, headers } = await ping();
  expect([status, text]).toEqual([403, expect.stringContaining('<Error code="003001"')]);
  const [date, until] = ["date", "retry-after"].map((name) => Date.parse(headers.get(name) ?? ""));
  expect(until! - date!).toBe(90_000);
});

test("500 and 503 are answered without executing the request", async () => {
  await faults({ fault: "500", once: true }, { fault: "503", once: true });
  const first = await acme.api("POST", "invoice", { body: invoiceBody({ DocNumber: "F-1" }) });
  expect(readFault(first)).toMatchObject({ status: 500, code: "10000" });
  expect(first.body["Fault"]?.["type"]).toBe("SystemFault");
  expect(await acme.api("POST", "invoice", { body: invoiceBody({ DocNumber: "F-1" }) })).toMatchObject({
    status: 503,
  });
  expect(
    (await acme.query("select count(*) from Invoice where DocNumber = 'F-1'")).body["QueryResponse"],
  ).toEqual({ totalCount: 0 });
});

test("a request with a committed 500 or a truncated body is still executed", async () => {
  await faults(
    { fault: "committed_500", once: true, match: { method: "POST" } },
    { fault: "half_body", once: true, match: { method: "POST" } },
  );
  expect((await acme.api("POST", "invoice", { body: invoiceBody({ DocNumber: "F-2" }) })).status).toBe(500);
  await expect(acme.api("POST", "invoice", { body: invoiceBody({ DocNumber: "F-3" }) })).rejects.toThrow();
  const { body } = await acme.query("select * from Invoice where DocNumber in ('F-2', 'F-3')");
  expect(body["QueryResponse"]?.["maxResults"]).toBe(2);
});

test("a request that is reset or hangs is never executed", async () => {
  await faults(
    { fault: "reset", once: true, match: { operation: "invoice.create" } },
    { fault: "hang", once: true, match: { operation: "invoice.create" } },
  );
  const send = (signal?: AbortSignal) =>
    fetch(`${intuit.url}/v3/company/${ACME}/invoice`, {
      method: "POST",
      headers: { authorization: `Bearer ${acme.tokens.access}`, accept: "application/json" },
      body: JSON.stringify(invoiceBody({ DocNumber: "F-4" })),
      ...(signal && { signal }),
    });
  await expect(send()).rejects.toThrow();
  await expect(send(AbortSignal.timeout(200))).rejects.toThrow();
  expect(
    (await acme.query("select count(*) from Invoice where DocNumber = 'F-4'")).body["QueryResponse"],
  ).toEqual({ totalCount: 0 });
});

test("a slow request is executed even if its caller has gone", async () => {
  await faults({ fault: "latency", ms: 1_000, once: true, match: { operation: "invoice.create" } });
  const caller = new AbortController();
  const gone = fetch(`${intuit.url}/v3/company/${ACME}/invoice`, {
    method: "POST",
    headers: { authorization: `Bearer ${acme.tokens.access}`, accept: "application/json" },
    body: JSON.stringify(invoiceBody({ DocNumber: "F-5" })),
    signal: caller.signal,
  });
  const refused = expect(gone).rejects.toThrow();
  await expect.poll(intuit.hits, { interval: 10 }).toBe(1);
  caller.abort();
  await refused;
  const found = async () =>
    (await acme.query("select count(*) from Invoice where DocNumber = 'F-5'")).body["QueryResponse"]?.[
      "totalCount"
    ];
  await expect.poll(found).toBe(1);
});

test("a held request is executed once its rule is deleted, and other rules stay", async () => {
  const rules = await faults(
    { fault: "hold", match: { operation: "invoice.create" } },
    { fault: "429", match: { operation: "preferences.read" } },
  );
  const held = acme.api("POST", "invoice", { body: invoiceBody({ DocNumber: "F-H" }) });
  await expect.poll(intuit.hits, { interval: 10 }).toBe(1);
  const find = () => acme.query("select count(*) from Invoice where DocNumber = 'F-H'");
  expect((await find()).body["QueryResponse"]).toEqual({ totalCount: 0 });
  await intuit.control("DELETE", `faults/${String(rules["rules"]?.[0]?.["id"])}`);
  expect((await held).status).toBe(200);
  expect((await find()).body["QueryResponse"]).toEqual({ totalCount: 1 });
  expect((await ping()).status).toBe(429);
});

test("an expired token gets the API host's 401, which echoes the token", async () => {
  await faults({ fault: "expired_token", once: true });
  const answer = await ping();
  expect(answer.status).toBe(401);
  expect(answer.headers.get("www-authenticate")).toBe('Bearer realm="Intuit", error="invalid_token"');
  expect(answer.body).toMatchObject({
    fault: {
      error: [
        {
          message: "message=AuthenticationFailed; errorCode=003200; statusCode=401",
          detail: `Token expired: ${acme.tokens.access}`,
          code: "3200",
          element: null,
        },
      ],
      type: "AUTHENTICATION",
    },
    batchItemResponse: [],
  });
  expect(typeof answer.body["time"]).toBe("number");
  expect(
    (await intuit.token({ grant_type: "refresh_token", refresh_token: acme.tokens.refresh })).status,
  ).toBe(200);
});

test("a revoked grant gets 401, and its refresh token no longer works", async () => {
  await faults({ fault: "revoked", once: true });
  expect((await ping()).status).toBe(401);
  const refresh = await intuit.token({ grant_type: "refresh_token", refresh_token: acme.tokens.refresh });
  expect(refresh).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
});

test("any code can be requested", async () => {
  await faults({ fault: "code", code: "6250", once: true });
  expect(readFault(await ping())).toMatchObject({ status: 400, code: "6250" });
});

test("one item of a batch can fail with a system fault while the others are done", async () => {
  await faults({ fault: "code", code: "10000", everyN: 2, match: { operation: "batch.item" } });
  const items = ["F-6", "F-7", "F-8"].map((number, n) => ({
    bId: String(n),
    operation: "create",
    Invoice: invoiceBody({ DocNumber: number }),
  }));
  const { body } = await acme.api("POST", "batch", { body: { BatchItemRequest: items } });
  expect(body["BatchItemResponse"]).toMatchObject([
    { Invoice: { DocNumber: "F-6" } },
    { Fault: { type: "SystemFault", Error: [{ code: "10000" }] } },
    { Invoice: { DocNumber: "F-8" } },
  ]);
});

test("the same seed gives the same faults", async () => {
  const pattern = async () => {
    await intuit.control("DELETE", "faults");
    await faults({ fault: "503", probability: 0.5, seed: 42, match: { path: "/preferences$" } });
    const statuses: number[] = [];
    for (let n = 0; n < 20; n += 1) statuses.push((await ping()).status);
    return statuses;
  };
  const first = await pattern();
  expect(new Set(first)).toEqual(new Set([200, 503]));
  expect(await pattern()).toEqual(first);
});

test("rules count: every third, and at most twice", async () => {
  await faults({ fault: "503", everyN: 3, count: 2, match: { realmId: ACME } });
  const statuses: number[] = [];
  for (let n = 0; n < 9; n += 1) statuses.push((await ping()).status);
  expect(statuses).toEqual([200, 200, 503, 200, 200, 503, 200, 200, 200]);
});

test("an unknown fault is refused", async () => {
  await expect(faults({ fault: "gremlin" })).rejects.toThrow("Unknown fault gremlin");
  await expect(faults({ fault: "500", match: { path: "(" } })).rejects.toThrow("Invalid regular expression");
  expect(await intuit.control("GET", "faults")).toEqual({ rules: [] });
});

test("the journal records requests and what they did, but no token", async () => {
  await intuit.control("DELETE", "journal");
  await acme.api("POST", "invoice?requestid=j-1", { body: invoiceBody() });
  await acme.query("select * from Customer");
  await intuit.token({ grant_type: "refresh_token", refresh_token: acme.tokens.refresh });
  const journal = await intuit.control("GET", "journal");
  expect(journal["entries"]).toMatchObject([
    {
      method: "POST",
      operation: "invoice.create",
      requestid: "j-1",
      realm_id: ACME,
      status: 200,
      writes: 1,
      reads: 0,
    },
    { operation: "query", query: { query: "select * from Customer" }, reads: 30 },
    { operation: "oauth.refresh_token", realm_id: null, status: 200 },
  ]);
  const text = JSON.stringify(journal);
  expect(text).not.toContain(acme.tokens.access);
  expect(text).not.toContain(acme.tokens.refresh);
});
