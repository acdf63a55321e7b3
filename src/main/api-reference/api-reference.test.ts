import { expect, test } from "vitest";
import { appOfFile } from "../../../test/support/start-app.ts";
import { openApiText } from "../../../test/support/print-openapi.ts";

const app = appOfFile({ worker: false });

const load = (path: string) => app().browser().request(path);

const listCalls = (page: string): string[] =>
  [...page.matchAll(/<b>(\w+)<\/b> <code>([^<]+)<\/code>/g)].map(([, method, path]) => `${method} ${path}`);

test("the description of all calls is served to programs that are not signed in", async () => {
  for (let time = 0; time < 3; time += 1) {
    const reply = await load("/api/openapi.json");
    expect([reply.status, reply.headers.get("content-type")]).toEqual([
      200,
      "application/json; charset=utf-8",
    ]);
    expect(reply.text).toBe(openApiText());
  }
});

test("the page of the API shows every call of its description, with body, answers, and an example for keys", async () => {
  const { status, headers, text } = await load("/api/");
  expect([status, headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
  const { paths } = JSON.parse(openApiText()) as { paths: Record<string, object> };
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(listCalls(text)).toHaveLength(all.length);
  expect(new Set(listCalls(text))).toEqual(new Set(all));
  expect(text).toContain(`<p role="status">${all.length} of ${all.length} calls</p>`);
  const forKeys = new Set(listCalls((await load("/api/?keys=1")).text));
  const groups = text.split("<section").slice(1);
  const ofKeys = groups.map((group) => listCalls(group).map((call) => forKeys.has(call)));
  // In each group, and among the groups, what a customer's program may call comes first.
  for (const group of [...ofKeys, ofKeys.map((group) => group.includes(true))])
    expect(group).toEqual(group.toSorted((a, b) => Number(b) - Number(a)));
  const order = (await load("/api/?q=post+partner/orders")).text;
  expect(listCalls(order)).toEqual(["POST /api/v1/partner/orders"]);
  expect(order).toContain(`curl -X POST &#39;${app().url}/api/v1/partner/orders&#39;`);
  for (const part of [
    "Authorization: Bearer dk_…",
    "Idempotency-Key: ",
    "po_number: string",
    "Body: <code>application/json",
  ])
    expect(order).toContain(part);
});

test("a search finds calls by all of its words, or only those for API keys, and quotes nothing unescaped", async () => {
  const found = listCalls((await load("/api/?q=ORDERS+cancel")).text);
  expect(found.length).toBeGreaterThan(0);
  expect(found.filter((call) => !call.includes("orders"))).toEqual([]);
  const keys = await load("/api/?keys=1");
  expect(listCalls(keys.text)).toContain("POST /api/v1/partner/orders");
  expect(keys.text).not.toContain("API keys can't call it");
  const odd = await load(`/api/?q=${encodeURIComponent('"><script>alert(1)</script>')}`);
  expect(odd.text).toContain('<p role="status">0 of ');
  expect(odd.text).not.toContain("<script>alert");
});

test("the page of the API runs no inline script and loads nothing from another origin", async () => {
  const { headers, text } = await load("/api/");
  const policy = headers.get("content-security-policy") ?? "";
  expect(policy).toContain("script-src 'self'");
  const nonce = /'nonce-([^']+)'/.exec(policy)?.[1] ?? "";
  expect([...text.matchAll(/<style[^>]*>/g)].map(([tag]) => tag)).toEqual([`<style nonce="${nonce}">`]);
  const loaded = [...text.matchAll(/<(?:script|link|img)[^>]*(?:src|href)="([^"]*)"/g)].map(([, url]) => url);
  expect(loaded.filter((url) => !/^\/[\w-]/.test(url ?? ""))).toEqual([]);
  expect(text).not.toMatch(/<script(?! src=)| style="| on\w+="|@import|url\(/);
});
