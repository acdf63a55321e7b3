import { request as rawRequest } from "node:http";
import { connect } from "node:net";
import { expect, test } from "vitest";
import { getUser } from "#features/identity/contract.ts";
import { PAGE_PATHS } from "../../src/main/pages.ts";
import { ACME } from "../support/intuit.ts";
import { appOfFile, startApp } from "../support/start-app.ts";
import { expectProblem } from "./walk-endpoints.ts";

const HEADERS = {
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "strict-origin-when-cross-origin",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), microphone=(), geolocation=()",
};

/** One of each kind of answer that the product gives. */
const ANSWERS = [
  ...PAGE_PATHS,
  "/no-such-page",
  "/login/",
  "/login/?next=//evil.example",
  "/logout/",
  "/get-app/connect",
  "/oauth/intuit/callback",
  "/templates/invoice-upload.xlsx",
  "/api/v1/user",
  "/api/v1/nothing",
  "/no-such-file.js",
  "/%zz",
];

/** No answer to a guest changes the product. */
const unchanged = appOfFile({ worker: false, limits: { signInsPerMinute: 10_000 } });

test("every response carries the security headers, and only our own script files and the payment provider's may run", async () => {
  const app = unchanged();
  const stripe = app.stripe.url;
  for (const path of ANSWERS) {
    const { headers } = await app.browser().request(path);
    for (const [name, value] of Object.entries(HEADERS))
      expect(headers.get(name), `${path} ${name}`).toBe(value);
    const policy = new Map(
      (headers.get("content-security-policy") ?? "").split("; ").map((rule) => {
        const [name = "", ...sources] = rule.split(" ");
        return [name, sources.join(" ")];
      }),
    );
    expect(policy.get("default-src"), path).toBe("'none'");
    expect(policy.get("script-src"), path).toBe(`'self' ${stripe}`);
    expect(policy.get("connect-src"), path).toBe(`'self' ${stripe}`);
    expect(policy.get("frame-src"), path).toBe(`blob: ${stripe}`);
    expect(policy.get("style-src"), path).not.toContain("unsafe");
    expect(policy.get("frame-ancestors"), path).toBe("'none'");
    expect(policy.get("base-uri"), path).toBe("'none'");
    expect(policy.get("object-src"), path).toBe("'none'");
    expect(policy.get("form-action"), path).toBe("'self'");
    expect(headers.get("x-request-id"), path).toMatch(/^[\da-f-]{36}$/);
    expect(headers.get("x-powered-by") ?? headers.get("server"), path).toBeNull();
  }
});

test("the nonce for styles is new in every response and is in the page it belongs to", async () => {
  const app = unchanged();
  const nonces = new Set<string>();
  for (let count = 0; count < 5; count += 1) {
    const page = await app.browser().request("/app/");
    const nonce = /'nonce-([^']+)'/.exec(page.headers.get("content-security-policy") ?? "")?.[1] ?? "";
    expect(page.text).toContain(`<meta name="csp-nonce" content="${nonce}">`);
    nonces.add(nonce);
  }
  expect(nonces.size).toBe(5);
});

test("pages and redirects are kept out of caches; only the template may be kept, and for an hour", async () => {
  const app = unchanged();
  for (const path of ANSWERS) {
    const { headers } = await app.browser().request(path);
    const expected = path.startsWith("/templates/") ? "public, max-age=3600" : "no-store";
    expect(headers.get("cache-control"), path).toBe(expected);
  }
});

const SCHEMES = [
  "https:",
  "http:",
  "javascript:",
  "data:text/html,",
  "ftp:",
  "HtTpS:",
  "\thttps:",
  " https:",
];
const SLASHES = [
  "//",
  "\\\\",
  "/\\",
  "\\/",
  "///",
  "/\t/",
  "/\n/",
  "/\r/",
  "\t//",
  "\u0000//",
  "/\u0000/",
  " //",
];
const DOTS = ["/.//", "/..//", "/x/..//", "/./\\", "/..\\/", "/%09/", "/%5c", "/%2f", "%2f%2f", "//%2f"];
const HOSTS = ["evil.example", "evil.example/app/", "localhost@evil.example", "evil。example"];

/** Values of `next` that would leave this site in one browser or another. */
const TARGETS = [
  ...SCHEMES.flatMap((scheme) => [`${scheme}${HOSTS[0]}`, `${scheme}//${HOSTS[1]}`]),
  ...SLASHES.flatMap((slashes) => [`${slashes}${HOSTS[0]}`, `${slashes}${HOSTS[2]}`]),
  ...DOTS.flatMap((dots) => [`${dots}${HOSTS[0]}`, `${dots}${HOSTS[3]}`]),
  "@evil.example",
  ".evil.example",
  ":80@evil.example",
  "?//evil.example",
  "#//evil.example",
  "javascript:alert(1)",
  "/app/\r\nLocation: https://evil.example",
];

test("LG-02 none of 60 `next` values for another site leaves ours", async () => {
  expect(TARGETS.length).toBeGreaterThanOrEqual(60);
  const app = await startApp({ worker: false, limits: { signInsPerMinute: TARGETS.length } });
  const browser = app.browser();
  for (const next of TARGETS) {
    const path = await browser.signIn("owner@acme.example", next);
    const target = new URL(path, app.url);
    expect(target.origin, JSON.stringify({ next, path })).toBe(app.url);
    expect(path, JSON.stringify(next)).toMatch(/^\/(?![/\\])[!-[\]-~]*$/);
  }
});

test("LG-02 several `next` values at once are ignored", async () => {
  const app = unchanged();
  const start = await app.browser().request("/login/?next=/app/&next=//evil.example");
  expect(start.status).toBe(302);
  expect(start.location).toMatch(new RegExp(`^${app.intuit.url}/`));
});

test.each(["error", "state", "code", "realmId"])(
  "a callback with %s repeated, empty or malformed ends on one of our pages and signs no one in",
  async (name) => {
    const app = await startApp({ worker: false });
    const browser = app.browser();
    await browser.request("/login/");
    for (const value of ["", "a", "%00", "%zz", "x".repeat(4_000), "//evil.example", "<script>"]) {
      const query = `${name}=${value.startsWith("%") ? value : encodeURIComponent(value)}`;
      const reply = await browser.request(`/oauth/intuit/callback?${query}&${query}`);
      expect(reply.status).toBe(302);
      expect(reply.location).toMatch(/^\/login\/failed\?reason=\w+&support_id=[\w-]+$/);
    }
    expect((await browser.call(getUser)).status).toBe(401);
  },
);

test("cookies are not accessible to scripts or other sites", async () => {
  const app = await startApp({ worker: false });
  const authorization = (await app.browser().request("/login/")).headers.getSetCookie();
  expect(authorization).toEqual([
    expect.stringMatching(/^dockside_authorization=[\w-]{43}; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/),
  ]);
  const browser = app.browser();
  const cookies: string[] = [];
  const { request } = browser;
  const start = new URL((await request("/login/")).location ?? "");
  const code = await app.intuit.grant({
    email: "owner@acme.example",
    scope: start.searchParams.get("scope") ?? "",
    redirectUri: start.searchParams.get("redirect_uri") ?? "",
  });
  const query = new URLSearchParams({ code, state: start.searchParams.get("state") ?? "" });
  cookies.push(...(await request(`/oauth/intuit/callback?${query}`)).headers.getSetCookie());
  expect(cookies).toEqual([
    expect.stringMatching(/^dockside_authorization=; (Max-Age=0; )?Path=\/; Expires=Thu, 01 Jan 1970/),
    expect.stringMatching(/^dockside_session=[\w-]{43}; Max-Age=604800; Path=\/; HttpOnly; SameSite=Lax$/),
  ]);
});

test("over https cookies are bound to the host and browsers are instructed to stay on https", async () => {
  const app = await startApp({ worker: false, env: { PUBLIC_URL: "https://localhost" } });
  // As behind a proxy that changes the Host.
  const reply = await fetch(`http://localhost:${app.config.port}/login/?moved=1`, { redirect: "manual" });
  expect(reply.headers.getSetCookie()).toEqual([
    expect.stringMatching(
      /^__Host-dockside_authorization=[\w-]{43}; Max-Age=600; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    ),
  ]);
  expect(reply.headers.get("strict-transport-security")).toBe("max-age=31536000; includeSubDomains");
});

test("LO-02 the sign-out form of the page signs out, as a browser sends it", async () => {
  const app = await startApp({ worker: false });
  const browser = await app.owner(ACME);
  const out = await browser.request("/logout/", {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: "",
  });
  expect(out.location).toBe("/?signed_out=1");
  expect((await browser.call(getUser)).status).toBe(401);
});

test.each([
  ["owner@acme.example", "/app/"],
  ["labels@acme.example", "/label/"],
  ["plain@acme.example", "/settings/"],
])("LG-03 without a requested page %s lands at %s", async (email, path) => {
  const app = await startApp({ worker: false });
  expect(await app.browser().signIn(email)).toBe(path);
});

test("RT-10 RT-11 every navigation target responds with and without slash, with a page or one redirect, never a redirect loop", async () => {
  const app = await startApp({ worker: false });
  const targets = [...PAGE_PATHS, "/login", "/logout", "/get-app/connect"];
  for (const target of targets) {
    for (const path of [target, target.endsWith("/") ? target : `${target}/`]) {
      const reply = await app.browser().request(path);
      expect([200, 302], path).toContain(reply.status);
      if (!reply.location?.startsWith("/")) continue;
      expect(new URL(reply.location, app.url).pathname.replace(/\/$/, ""), path).not.toBe(target);
      expect((await app.browser().request(reply.location)).status, reply.location).toBe(
        reply.location.startsWith("/login") ? 302 : 200,
      );
    }
  }
});

test("over https a complete sign-in ends with a session cookie that no other host can set", async () => {
  const app = await startApp({ worker: false, env: { PUBLIC_URL: "https://localhost" } });
  const origin = `http://localhost:${app.config.port}`;
  const first = await fetch(`${origin}/login/?moved=1`, { redirect: "manual" });
  const start = new URL(first.headers.get("location") ?? "");
  expect(start.searchParams.get("redirect_uri")).toBe("https://localhost/oauth/intuit/callback");
  const code = await app.intuit.grant({
    email: "owner@acme.example",
    scope: start.searchParams.get("scope") ?? "",
    redirectUri: start.searchParams.get("redirect_uri") ?? "",
  });
  const query = new URLSearchParams({ code, state: start.searchParams.get("state") ?? "" });
  const cookie = first.headers.getSetCookie()[0]?.split(";")[0] ?? "";
  const back = await fetch(`${origin}/oauth/intuit/callback?${query}`, {
    redirect: "manual",
    headers: { cookie },
  });
  expect(back.headers.get("location")).toBe("/app/");
  expect(back.headers.getSetCookie()[1]).toMatch(
    /^__Host-dockside_session=[\w-]{43}; Max-Age=604800; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
  );
  const session = back.headers.getSetCookie()[1]?.split(";")[0] ?? "";
  const user = (cookies: string) => fetch(`${origin}/api/v1/user`, { headers: { cookie: cookies } });
  expect((await user(session)).status).toBe(200);
  expect((await user(session.replace("__Host-", ""))).status).toBe(401);
});

test("no page and no endpoint changes anything by GET: every session and member is unchanged", async () => {
  const app = await startApp({ worker: false });
  const browser = await app.owner(ACME);
  const before = (await browser.call(getUser)).text;
  for (const path of ANSWERS.filter((path) => path !== "/logout/")) await browser.request(path);
  expect((await browser.call(getUser)).text).toBe(before);
});

test.each(["TRACE", "OPTIONS", "PATCH", "PUT", "DELETE", "PROPFIND", "SEARCH", "LOCK"])(
  "%s is refused by every page and every endpoint that does not declare it",
  async (method) => {
    const app = unchanged();
    for (const path of [
      "/",
      "/app/",
      "/login/",
      "/logout/",
      "/api/v1/user",
      "/templates/invoice-upload.xlsx",
    ]) {
      const { status, headers, text } = await send(app.config.port, {
        method,
        path,
        headers: { cookie: "a=b" },
      });
      expect(status, path).toBe(404);
      expect(expectProblem(headers, text).code).toBe("not_found");
      expect(text).not.toContain("a=b");
    }
  },
);

test("GEN a request that is not HTTP is cut off without revealing anything about us", async () => {
  const app = unchanged();
  const answer = await new Promise<string>((resolve, reject) => {
    const socket = connect(app.config.port, "localhost", () => socket.end("NONSENSE\r\n\r\n"));
    let text = "";
    socket.on("data", (chunk) => (text += chunk.toString()));
    socket.on("close", () => resolve(text));
    socket.on("error", reject);
  });
  expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
  expect(answer).not.toMatch(/node|fastify|parse|stack/i);
});

test("AP-38 a request with too long an address or too many headers is refused with a problem", async () => {
  const reply = await unchanged()
    .browser()
    .request(`/app/?x=${"x".repeat(20_000)}`);
  expect(reply.status).toBe(431);
  expect(expectProblem(reply.headers, reply.text).code).toBe("headers_too_large");
  expect(reply.headers.get("content-security-policy")).toContain("default-src 'none'");
});

/** A request with a method that `fetch` does not send. */
function send(
  port: number,
  { method, path, headers }: { method: string; path: string; headers: Record<string, string> },
): Promise<{ status: number; headers: Headers; text: string }> {
  return new Promise((resolve, reject) => {
    const outgoing = rawRequest({ host: "localhost", port, method, path, headers }, (incoming) => {
      let text = "";
      incoming.on("data", (chunk: Buffer) => (text += chunk.toString()));
      incoming.on("end", () =>
        resolve({
          status: incoming.statusCode ?? 0,
          headers: new Headers(incoming.headers as Record<string, string>),
          text,
        }),
      );
    });
    outgoing.on("error", reject);
    outgoing.end();
  });
}
