import type { Page } from "@playwright/test";
import { startLogRocket } from "../../simulators/logrocket/start.ts";
import { createInstance, removeInstance, runProduct, type Product } from "../support/run-product.ts";
import { expect, test as base } from "./product.ts";
import { openAs, openPath } from "./support/visit.ts";

const APP_ID = "au2drp/dockside";

type Recorded = { product: Product; logRocket: Awaited<ReturnType<typeof startLogRocket>> };

/** One product and one simulator for all tests of this file. */
const test = base.extend<object, { recorded: Recorded }>({
  recorded: [
    // eslint-disable-next-line no-empty-pattern -- the runner wants a destructured first argument
    async ({}, use) => {
      const logRocket = await startLogRocket({ port: 0 });
      const place = await createInstance();
      const product = await runProduct(place, {
        LOGROCKET_APP_ID: APP_ID,
        LOGROCKET_SCRIPT_ORIGIN: logRocket.url,
        LOGROCKET_INGEST_ORIGIN: logRocket.url,
      });
      await use({ product, logRocket });
      await product.stop();
      await logRocket.close();
      await removeInstance(place);
    },
    { scope: "worker", timeout: 180_000 },
  ],
});

/** Origins and paths that the page asks, but not its workers, and what it says that it lacks. */
function watch(page: Page) {
  const origins = new Set<string>();
  const paths: string[] = [];
  const errors: string[] = [];
  page.context().on("request", (request) => {
    const url = new URL(request.url());
    if (!url.protocol.startsWith("http")) return;
    origins.add(url.origin);
    paths.push(url.pathname);
  });
  page.on("console", (message) => {
    if (message.type() === "error") errors.push(message.text());
  });
  page.on("pageerror", (error) => errors.push(String(error)));
  return { origins, paths, errors };
}

type Event = { type: string; facts: Record<string, unknown> };

/** Everything that LogRocket got, and the events of it. */
function received({ logRocket }: Recorded) {
  const uploads = logRocket.calls.filter(({ path }) => path === "/i");
  const events = uploads.flatMap(({ text }) => (JSON.parse(text) as { events: Event[] }).events);
  const all = logRocket.calls.map(({ path, query, text, headers }) =>
    [path, query, text, JSON.stringify(headers)].join("\n"),
  );
  return {
    uploads,
    text: all.join("\n"),
    of: (type: string) => events.filter((event) => event.type === type),
  };
}

/** Opens a page on which ten seconds have passed: the recorder is loaded then. */
async function openRecorded(page: Page, path: string): Promise<void> {
  await page.clock.install();
  await openPath(page, path);
  await page.clock.fastForward(11_000);
  await page.clock.resume();
}

test("AU-09 AP-32 GEN-10 RP-13 with LOGROCKET_APP_ID the page is recorded at LogRocket through our own address, with its user, and without what it says or what is typed", async ({
  browser,
  recorded,
}) => {
  const { product, logRocket } = recorded;
  const page = await openAs({ browser, product }, "owner");
  const { origins, paths, errors } = watch(page);
  await openRecorded(page, "/app/?realm_id=9130357849016936&code=secret-code#hash-secret");
  await expect.poll(() => received(recorded).of("init").length).toBe(1);
  const known = received(recorded);
  expect(known.of("init")[0]?.facts).toEqual({ release: expect.stringMatching(/^dockside@\d/), ip: false });
  expect(known.of("identify").map(({ facts }) => facts)).toEqual([
    { id: expect.any(String), traits: { name: "Olive Owner", email: "owner@acme.example" } },
  ]);
  expect(known.uploads.every(({ query }) => query.startsWith(`?a=${encodeURIComponent(APP_ID)}`))).toBe(true);

  // Typed, printed in the console, searched, sent as a body and answered as one.
  await page.getByRole("link", { name: "Settings" }).first().click();
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await openContact(page);
  await page.getByRole("textbox", { name: "Message" }).fill("typed-secret of a contact");
  await page.evaluate(async () => {
    // oxlint-disable-next-line no-console -- LogRocket would keep the line
    console.error("console-secret of a line");
    await fetch("/api/v1/invoices?realm_id=9130357849016936&q=query-secret", {
      headers: { authorization: "Bearer header-secret" },
    });
    const body = JSON.stringify({ message: "body-secret" });
    await fetch("/api/v1/contact", { method: "POST", body, headers: { "content-type": "application/json" } });
  });
  const calls = () => received(recorded).of("lr.network.RequestEvent");
  const contact = () => calls().find(({ facts }) => JSON.stringify(facts).includes("/api/v1/contact"));
  await expect.poll(contact).toBeDefined();
  expect(contact()?.facts).toEqual({
    page: `${product.url}/contact/`,
    message: expect.objectContaining({ method: "POST", url: `${product.url}/api/v1/contact`, headers: {} }),
  });
  const answered = () =>
    received(recorded)
      .of("lr.network.ResponseEvent")
      .map(({ facts }) => facts["message"]);
  await expect
    .poll(answered)
    .toContainEqual(expect.objectContaining({ method: "POST", status: 400, headers: {} }));
  expect(JSON.stringify(answered())).not.toContain("body");
  expect(received(recorded).of("lr.core.LogEvent")).toEqual([]);

  // The page was drawn, and nothing of its texts is in it.
  const { text } = received(recorded);
  expect(text).toContain('"MAIN"');
  const secrets =
    "typed-secret console-secret query-secret header-secret body-secret secret-code hash-secret Acme Settings 9130357849016936 dockside_session";
  for (const secret of secrets.split(" ")) expect(text, secret).not.toContain(secret);
  // Named once, by the call that names the user.
  expect(text.match(/Olive/g)).toHaveLength(1);
  // From our server, and none from a browser or its worker, which would name its site.
  for (const { headers } of logRocket.calls)
    for (const name of ["cookie", "authorization", "origin", "sec-fetch-site", "referer"])
      expect(headers[name], name).toBeUndefined();
  expect([...origins]).toEqual([product.url]);
  expect(paths.filter((path) => path.includes("open-recorder") || path === "/telemetry/recordings")).toEqual(
    [],
  );
  expect(errors.filter((line) => /Content Security Policy/i.test(line))).toEqual([]);
  await page.context().close();
});

async function openContact(page: Page): Promise<void> {
  await page.evaluate(() => history.pushState({}, "", "/contact/?support_id=query-secret"));
  await page.evaluate(() => window.dispatchEvent(new PopStateEvent("popstate", { state: {} })));
  await expect(page.getByRole("textbox", { name: "Message" })).toBeVisible();
}

test("AU-09 LogRocket is named the user again when the name has changed", async ({ browser, recorded }) => {
  const { product, logRocket } = recorded;
  logRocket.calls.length = 0;
  const page = await openAs({ browser, product }, "owner");
  // The page has its user from the server, and reads the other companies later: with a new name here.
  let answer = () => undefined as void;
  const isNamed = new Promise<void>((resolve) => (answer = resolve));
  await page.route("**/api/v1/user", async (route) => {
    await isNamed;
    const reply = await route.fetch();
    await route.fulfill({ json: { ...((await reply.json()) as object), first_name: "Olivia" } });
  });
  await openRecorded(page, "/app/");
  const names = () =>
    received(recorded)
      .of("identify")
      .map(({ facts }) => (facts["traits"] as { name: string }).name);
  await expect.poll(names).toEqual(["Olive Owner"]);
  answer();
  await expect.poll(names).toEqual(["Olive Owner", "Olivia Owner"]);
  await page.context().close();
});

test("RP-13 an error report is named in the recording by its id only, and the page of a payment isn't recorded", async ({
  browser,
  recorded,
}) => {
  const { product, logRocket } = recorded;
  logRocket.calls.length = 0;
  const page = await openAs({ browser, product }, "owner");
  await openRecorded(page, "/app/");
  await expect.poll(() => received(recorded).of("init").length).toBe(1);
  const reported = page.waitForRequest((request) => request.url().endsWith("/telemetry/errors"));
  await page.evaluate(() => {
    const error = new Error("error-secret");
    error.stack = `Error: error-secret\n    at run (${window.location.origin}/assets/shell-abcdefgh.js:1:2)`;
    window.dispatchEvent(new ErrorEvent("error", { error, message: error.message }));
  });
  const [head = ""] = ((await reported).postData() ?? "").split("\n");
  const { event_id: id } = JSON.parse(head) as { event_id: string };
  await expect
    .poll(() =>
      received(recorded)
        .of("track")
        .map(({ facts }) => facts),
    )
    .toEqual([{ name: "Error report", properties: { id } }]);
  expect(received(recorded).text).not.toContain("error-secret");
  await page.context().close();

  logRocket.calls.length = 0;
  const paying = await openAs({ browser, product }, "owner");
  const { paths } = watch(paying);
  const address = "/payment-completion/?subscription_id=sub_1&payment_intent_client_secret=pi_1_secret_2";
  await openRecorded(paying, address);
  await expect(paying.getByRole("heading", { level: 1, name: "Recording Payment" })).toBeVisible();
  expect(paths.filter((path) => path.startsWith("/t/") || path.includes("logrocket"))).toEqual([]);
  await paying.context().close();
});

test("Admin and the privacy policy say that recordings are at LogRocket", async ({ browser, recorded }) => {
  const page = await openAs({ browser, product: recorded.product }, "platform");
  await openPath(page, "/controller/recordings");
  await expect(
    page.getByText(`Pages are now recorded at LogRocket: sign in there and open the app ${APP_ID}`),
  ).toBeVisible();
  await openPath(page, "/privacy-policy/");
  await expect(page.getByRole("heading", { name: "Recordings of pages" })).toBeVisible();
  await page.context().close();
});

test("while LogRocket doesn't answer, the page works undisturbed and reports no error", async ({
  browser,
  recorded,
}) => {
  const { product, logRocket } = recorded;
  const page = await openAs({ browser, product }, "owner");
  const { paths, errors } = watch(page);
  await openRecorded(page, "/app/");
  await expect.poll(() => received(recorded).of("init").length).toBe(1);
  logRocket.setFault("silent");
  logRocket.calls.length = 0;
  for (const link of ["Settings", "Invoices", "Labels"]) {
    await page.getByRole("link", { name: link }).first().click();
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  }
  await expect.poll(() => received(recorded).uploads.length).toBeGreaterThan(0);
  logRocket.setFault(null);
  expect(paths.filter((path) => path === "/telemetry/errors")).toEqual([]);
  expect(errors.filter((line) => !/Failed to load resource.*503/.test(line))).toEqual([]);
  await page.context().close();
});

test("without LogRocket's script the page works undisturbed and reports no error", async ({
  browser,
  recorded,
}) => {
  const { product } = recorded;
  const page = await openAs({ browser, product }, "owner");
  const { paths, errors } = watch(page);
  // The server may still have the script of an hour.
  await page.context().route("**/t/l/logger.min.js", (route) => route.fulfill({ status: 503, body: "" }));
  await openRecorded(page, "/app/");
  await expect.poll(() => paths.includes("/t/l/logger.min.js")).toBe(true);
  await page.getByRole("link", { name: "Settings" }).first().click();
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  expect(paths.filter((path) => path === "/t/l/i" || path === "/telemetry/errors")).toEqual([]);
  expect(errors.filter((line) => !/Failed to load resource.*503/.test(line))).toEqual([]);
  await page.context().close();
});

test("AP-32 without LOGROCKET_APP_ID a page loads nothing of LogRocket", async ({
  openAs: open,
  product,
}) => {
  const page = await open("owner");
  const { paths, origins } = watch(page);
  await openRecorded(page, "/app/");
  await expect.poll(() => paths.some((path) => path.includes("open-recorder"))).toBe(true);
  expect(paths.filter((path) => path.startsWith("/t/") || path.includes("logrocket"))).toEqual([]);
  expect([...origins]).toEqual([product.url]);
  await openPath(page, "/privacy-policy/");
  await expect(page.getByRole("heading", { name: "In your browser" })).toBeVisible();
  await expect(page.getByText("LogRocket")).toHaveCount(0);
});
