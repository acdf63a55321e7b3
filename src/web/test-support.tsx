import { App } from "#web/app.tsx";
import type { Timers } from "#web/kit/announcer.ts";
import type { Reporter } from "#web/kit/reporter.ts";
import { realmStore } from "#web/kit/session/realm-store.ts";
import { cleanup, render, screen } from "@testing-library/react";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { BrowserRouter } from "react-router";
import { afterAll, afterEach, beforeEach } from "vitest";

export type Asked = { method: string; url: URL; realm: string | null; body: string };
export type Answer = {
  status?: number;
  json?: unknown;
  headers?: Record<string, string>;
  text?: string;
  wait?: Promise<unknown>;
};

// jsdom keeps the origin it started with when its address changes, so its own server counts as foreign to it.
const ANY_ORIGIN = {
  "access-control-allow-origin": "*",
  "access-control-allow-headers": "*",
  "access-control-allow-methods": "*",
  "access-control-expose-headers": "*",
};

declare const jsdom: { reconfigure(settings: { url: string }): void };

/** A server of the test's own. It answers by "METHOD path"; what is not listed is a 404 problem. */
export async function startServer() {
  const answers = new Map<string, (asked: Asked) => Answer>();
  const asked: Asked[] = [];
  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    for (const [name, value] of Object.entries(ANY_ORIGIN)) response.setHeader(name, value);
    if (request.method === "OPTIONS") {
      response.end();
      return;
    }
    const url = new URL(request.url ?? "/", "http://test");
    const call: Asked = {
      method: request.method ?? "",
      url,
      realm: realmOf(request),
      body: await bodyOf(request),
    };
    asked.push(call);
    const answer = answers.get(`${call.method} ${url.pathname}`)?.(call) ?? problem(404, "Not here.");
    await answer.wait;
    response.writeHead(answer.status ?? 200, { "content-type": "application/json", ...answer.headers });
    response.end(answer.text ?? JSON.stringify(answer.json ?? {}));
  };
  const server = createServer((request, response) => void respond(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  beforeEach(() => {
    answers.clear();
    asked.length = 0;
    visit(origin, "/");
    window.localStorage.clear();
    window.sessionStorage.clear();
    realmStore.set(null);
    wide(true);
    answers.set("POST /api/v1/user/company", () => ({}));
  });
  afterEach(cleanup);
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    asked,
    on: (call: string, answer: Answer | ((asked: Asked) => Answer)) =>
      answers.set(call, typeof answer === "function" ? answer : () => answer),
    visit: (path: string) => visit(origin, path),
  };
}

/** An error answer as the product's server gives it. */
export function problem(status: number, detail: unknown): Answer {
  return {
    status,
    json: { type: "about:blank", title: "Problem", status, detail, code: "some_code", request_id: "r-1" },
  };
}

export const acme = { id: "1", name: "Acme Tools", admin: "olive@acme.example" };
export const beta = { id: "2", name: "Beta Supply", admin: "bob@beta.example" };

/** A signed-in user, as the server describes them. */
export function owner(more: object = {}) {
  return {
    first_name: "Olive",
    last_name: "Owner",
    username: "olive",
    email: "olive@acme.example",
    groups: ["app", "brainchild", "admin"],
    companies: [acme, beta],
    ...more,
  };
}

/** Keeps what the page reports. */
export function recordingReporter() {
  const reported: unknown[] = [];
  const identified: unknown[] = [];
  const reporter: Reporter = {
    report: (error) => reported.push(error),
    identify: (user) => identified.push(user),
  };
  return { reporter, reported, identified };
}

/** Renders the complete page at the current address. */
export function renderApp(reporter: Reporter = recordingReporter().reporter) {
  return render(
    <BrowserRouter>
      <App reporter={reporter} />
    </BrowserRouter>,
  );
}

/** Draws the page at a path for a signed-in user, and waits for its heading. */
export async function openAsOwner(server: Awaited<ReturnType<typeof startServer>>, path: string) {
  server.on("GET /api/v1/user", { json: owner() });
  server.visit(path);
  renderApp();
  await screen.findByRole("heading", { level: 1 });
}

/** Makes the window wide (1280 px) or narrow (375 px) as far as media queries can detect. */
export function wide(isWide: boolean) {
  window.scrollTo = () => undefined;
  Element.prototype.scrollIntoView = () => undefined;
  window.matchMedia = (query: string) =>
    ({
      matches: query.includes("min-width") && isWide,
      media: query,
      addEventListener: () => undefined,
      removeEventListener: () => undefined,
      addListener: () => undefined,
      removeListener: () => undefined,
    }) as unknown as MediaQueryList;
}

/** Timers that move only when advanced. */
export function fakeTimers(): Timers & { advance(ms: number): void; waiting(): number } {
  let now = 0;
  let lastId = 0;
  const due = new Map<number, { at: number; run: () => void }>();
  const next = (limit: number) =>
    [...due].filter(([, { at }]) => at <= limit).sort((a, b) => a[1].at - b[1].at)[0];
  return {
    now: () => now,
    setTimeout(run, ms) {
      due.set(++lastId, { at: now + ms, run });
      return lastId;
    },
    clearTimeout: (id) => void due.delete(id),
    advance(ms) {
      const end = now + ms;
      for (let first = next(end); first; first = next(end)) {
        due.delete(first[0]);
        now = first[1].at;
        first[1].run();
      }
      now = end;
    },
    waiting: () => due.size,
  };
}

function visit(origin: string, path: string) {
  jsdom.reconfigure({ url: `${origin}${path}` });
}

function realmOf(request: IncomingMessage): string | null {
  const realm = request.headers["x-realm-id"];
  return typeof realm === "string" ? realm : null;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString("latin1");
}
