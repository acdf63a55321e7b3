import type { Endpoint } from "#contract/endpoint.ts";
import { problemSchema } from "#contract/problem.ts";
import { ENDPOINTS } from "../main/endpoints.ts";
import { App, Providers } from "#web/app.tsx";
import { PageBoundary } from "#web/kit/fallback-screen.tsx";
import { boot, type Boot } from "#web/kit/boot.ts";
import type { Reporter } from "#web/kit/reporter.ts";
import { realmStore } from "#web/kit/session/realm-store.ts";
import { SessionProvider } from "#web/kit/session/session-provider.tsx";
import { Pages } from "#web/routes.tsx";
import { cleanup, render, screen } from "@testing-library/react";
import { userEvent as direct } from "@testing-library/user-event";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { BrowserRouter } from "react-router";
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished, vi } from "vitest";
import type * as z from "zod";

export type ServerCall = { method: string; url: URL; realm: string | null; trace: string; body: string };
export type Answer = {
  status?: number;
  /** Must match the endpoint's contract or be a problem; anything else fails the test. */
  json?: unknown;
  headers?: Record<string, string>;
  /** An answer from a proxy in place of the server's. */
  text?: string;
  wait?: Promise<unknown>;
};

declare const jsdom: { reconfigure(settings: { url: string }): void; window: { _origin: string } };

/**
 * Starts a server for the test. It answers by "METHOD path"; everything else is a 404 problem.
 * @param endpoints endpoints that belong to no page of the product
 */
export async function startServer(endpoints: readonly Endpoint[] = []) {
  const answers = new Map<string, (call: ServerCall) => Answer>();
  const requests: ServerCall[] = [];
  const faults: string[] = [];
  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? "/", "http://test");
    const call: ServerCall = {
      method: request.method ?? "",
      url,
      realm: readRealm(request),
      trace: String(request.headers["traceparent"]),
      body: await readBody(request),
    };
    requests.push(call);
    const answer = answers.get(`${call.method} ${url.pathname}`)?.(call) ?? problem(404, "Not here.");
    await answer.wait;
    response.writeHead(answer.status ?? 200, { "content-type": "application/json", ...answer.headers });
    if (answer.text === undefined) faults.push(...findFaults([...ENDPOINTS, ...endpoints], call, answer));
    response.end(answer.text ?? JSON.stringify(answer.json ?? {}));
  };
  const server = createServer((request, response) => void respond(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  beforeEach(() => {
    answers.clear();
    requests.length = 0;
    faults.length = 0;
    visit(origin, "/");
    window.localStorage.clear();
    window.sessionStorage.clear();
    realmStore.set(null);
    wide(true);
    answers.set("POST /api/v1/user/company", () => ({}));
    answers.set("GET /api/v1/user/devices", () => ({ json: { devices: [] } }));
    answers.set("GET /api/v1/stripe/subscriptions", () => ({ json: [] }));
    answers.set("GET /api/v1/stripe/payments", () => ({ json: [] }));
    answers.set("GET /api/v1/stripe/payer", () => ({ json: { payer: null, is_payer: true } }));
  });
  afterEach(() => {
    cleanup();
    expect(faults, "answers that the product's server never gives").toEqual([]);
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    requests,
    on: (call: string, answer: Answer | ((call: ServerCall) => Answer)) =>
      answers.set(call, typeof answer === "function" ? answer : () => answer),
    visit: (path: string) => visit(origin, path),
  };
}

/** Builds an error answer like the product's server. */
export function problem(status: number, detail: string, code = "some_code"): Answer {
  return {
    status,
    json: { type: "about:blank", title: "Problem", status, detail, code, request_id: "r-1" },
  };
}

export const acme = {
  id: "1",
  name: "Acme Tools",
  admin: "olive@acme.example",
  time_zone: "America/St_Johns",
};
export const beta = { ...acme, id: "2", name: "Beta Supply", admin: "bob@beta.example" };

/** Settings of a company without a carrier account, as sent by the server. */
export const settingsOfAcme = {
  contact_email: acme.admin,
  ups_account: "",
  ups_state: "none" as "none" | "connected" | "reconnect_needed",
  attach_pods: "false" as const,
  pods_on_send: "false" as const,
  pods_together: "false" as const,
  freight_on_invoices: "false" as const,
  invoice_lookback: 30,
};

/** Builds a signed-in user as sent by the server. */
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

/** Creates a reporter that records what the page reports. */
export function recordingReporter() {
  const reported: unknown[] = [];
  const identified: unknown[] = [];
  const reporter: Reporter = {
    report: (error) => reported.push(error),
    identify: (user) => identified.push(user),
  };
  return { reporter, reported, identified };
}

/** Renders the page of the current address without the frame around it. */
export function renderPage(reporter: Reporter = recordingReporter().reporter) {
  return render(
    <BrowserRouter>
      <Providers reporter={reporter}>
        <SessionProvider>
          <main id="main" tabIndex={-1}>
            <PageBoundary>
              <Pages />
            </PageBoundary>
          </main>
        </SessionProvider>
      </Providers>
    </BrowserRouter>,
  );
}

/** Renders the page of the current address in the frame: top bar, notices and footer. */
export function renderApp(reporter: Reporter = recordingReporter().reporter) {
  return render(
    <BrowserRouter>
      <App reporter={reporter} />
    </BrowserRouter>,
  );
}

/** Renders the page at a path for a signed-in user, and waits for its heading. */
export async function openAsOwner(
  server: Awaited<ReturnType<typeof startServer>>,
  path: string,
  mount: () => unknown = renderPage,
) {
  server.on("GET /api/v1/user", { json: owner() });
  server.visit(path);
  mount();
  await screen.findByRole("heading", { level: 1 });
}

/** Does not wait between keys, and does not look for `pointer-events`: styles are not applied here. */
const QUICK = { delay: null, pointerEventsCheck: 0 } as const;

/** Acts on elements as a user does. */
export const userEvent = {
  click: (element: Element) => direct.click(element, QUICK),
  clear: (element: Element) => direct.clear(element),
  type: (element: Element, keys: string) => direct.type(element, keys, QUICK),
  /** Enters a text at once, where it is not proven what happens at each key. */
  fill: async (element: Element, text: string) => {
    await direct.click(element, QUICK);
    await direct.paste(text, QUICK);
  },
  keyboard: (keys: string) => direct.keyboard(keys, QUICK),
  tab: (options: { shift?: boolean } = {}) => direct.tab({ ...QUICK, ...options }),
  selectOptions: (select: Element, values: string | string[]) => direct.selectOptions(select, values, QUICK),
  upload: (input: HTMLElement, files: File | File[], options: { applyAccept?: boolean } = {}) =>
    direct.upload(input, files, { ...QUICK, ...options }),
};

/** Shortens the product's waits of one length in this test, so that no test waits for them in real time. */
export function shortenWaits(waitMs: number) {
  const { setTimeout: waitOnce, setInterval: waitAlways } = globalThis;
  const shorten = (ms: number | undefined) => (ms === waitMs ? Math.min(waitMs, 50) : ms);
  const once = vi.spyOn(globalThis, "setTimeout");
  once.mockImplementation(((run: () => void, ms?: number, ...args: []) =>
    waitOnce(run, shorten(ms), ...args)) as typeof setTimeout);
  const always = vi.spyOn(globalThis, "setInterval");
  always.mockImplementation(((run: () => void, ms?: number, ...args: []) =>
    waitAlways(run, shorten(ms), ...args)) as typeof setInterval);
  onTestFinished(() => {
    once.mockRestore();
    always.mockRestore();
  });
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

/**
 * Gives every element a size in pixels, because jsdom does no layout: a region without height would render
 * none of its rows.
 */
export function layOut(sizes: Readonly<Record<string, number>>): () => void {
  for (const [name, px] of Object.entries(sizes))
    Object.defineProperty(HTMLElement.prototype, name, { configurable: true, get: () => px });
  return () => {
    for (const name of Object.keys(sizes)) Reflect.deleteProperty(HTMLElement.prototype, name);
  };
}

/** Sets facts of the server's shell for the tests of a file. */
export function haveFacts(facts: Partial<Boot>) {
  const before = { ...boot };
  beforeAll(() => void Object.assign(boot, facts));
  afterAll(() => void Object.assign(boot, before));
}

/** Lets dialogs open: jsdom has the element but not `showModal`. */
export function openDialogs() {
  HTMLDialogElement.prototype.showModal = function (this: HTMLDialogElement) {
    this.open = true;
  };
  HTMLDialogElement.prototype.close = function (this: HTMLDialogElement) {
    this.open = false;
  };
}

function visit(origin: string, path: string) {
  jsdom.reconfigure({ url: `${origin}${path}` });
  // jsdom keeps its initial origin, so each call to our server would be preceded by a preflight request.
  jsdom.window._origin = origin;
}

/** Finds differences between an answer and its contract. */
export function findFaults(
  endpoints: readonly Endpoint[],
  { method, url }: ServerCall,
  answer: Answer,
): string[] {
  const name = `${method} ${url.pathname}`;
  const endpoint = endpoints.find((known) => known.method === method && isAt(known.path, url.pathname));
  if (!endpoint) return [`${name} isn't an endpoint`];
  const schema = (answer.status ?? 200) < 400 ? endpoint.response : problemSchema;
  if (!isSchema(schema)) return [];
  const { error } = schema.safeParse(answer.json ?? {});
  return error?.issues.map(({ path, message }) => `${name}: ${path.join(".")} ${message}`) ?? [];
}

function isAt(path: string, pathname: string): boolean {
  return new RegExp(`^${path.replaceAll(/:\w+/g, "[^/]+")}$`).test(pathname);
}

function isSchema(response: Endpoint["response"]): response is z.ZodType {
  return "safeParse" in response;
}

function readRealm(request: IncomingMessage): string | null {
  const realm = request.headers["x-realm-id"];
  return typeof realm === "string" ? realm : null;
}

async function readBody(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString("latin1");
}
