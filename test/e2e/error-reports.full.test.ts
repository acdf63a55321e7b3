import type { Page } from "@playwright/test";
import type { ListRow } from "#features/admin/lists/contract.ts";
import { expect, test } from "./product.ts";
import { listLoadedFonts } from "./support/fonts.ts";
import { openPath } from "./support/visit.ts";
import { watch, failList } from "./support/error-reports.ts";

type Thrown = { message: string; files?: readonly string[] };

/** Throws where nothing catches it; by default in our own code. */
async function throwIn(
  page: Page,
  { message, files = ["/assets/shell-abcdefgh.js"] }: Thrown,
): Promise<void> {
  await page.evaluate(
    ([text, places]) => {
      const error = new Error(text);
      const lines = places.map((place) => `    at run (${new URL(place, window.location.href).href}:1:2)`);
      error.stack = [`Error: ${text}`, ...lines].join("\n");
      window.dispatchEvent(new ErrorEvent("error", { error, message: text }));
    },
    [message, [...files]] as const,
  );
}

test("GEN-10 AP-32 RP-13 ten seconds after sign-in the page is recorded without what it says, and the recording follows an error to our own server", async ({
  openAs,
  product,
}) => {
  const page = await openAs("owner");
  await page.clock.install();
  // The styles before the script name the company that this browser remembers.
  await page.addInitScript(() => localStorage.setItem("realmId", "9130357849016936"));
  const { errors, origins, texts } = watch(page);
  const scripts: string[] = [];
  page.on("request", (request) => scripts.push(new URL(request.url()).pathname));
  await openPath(page, "/app/");
  expect(scripts.filter((path) => path.includes("open-recorder"))).toEqual([]);
  const loaded = page.waitForResponse((response) => response.url().includes("open-recorder"));
  await page.clock.fastForward(11_000);
  expect((await loaded).ok()).toBe(true);
  for (const link of ["Settings", "Invoices"]) {
    await page.getByRole("link", { name: link }).first().click();
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  }
  const kept = page.waitForResponse((response) => response.url().endsWith("/telemetry/recordings"));
  await throwIn(page, { message: "Fault after a while" });
  expect((await kept).status()).toBe(200);
  // Recording them changes nothing for the pages: style rules of other browsers are refused and no error.
  expect(texts()).toEqual(["Fault after a while"]);
  const { request } = await openAs("platform");
  const read = async (path: string) => (await request.get(`/api/v1/admin/${path}`)).json();
  const { rows } = (await read("lists/recordings")) as { rows: ListRow<"recordings">[] };
  const recording = rows.find(({ error }) => error === "Error: Fault after a while");
  expect(recording).toMatchObject({ page: "/app/", user: "owner@acme.example" });
  // The address, the picture of the page, and what changed since.
  expect(recording!.events).toBeGreaterThan(2);
  const shown = JSON.stringify(await read(`recordings/${recording!.key.replaceAll("-", "")}`));
  expect(shown).toContain('"tagName":"nav"');
  for (const text of ["Olive", "Acme", "Settings", "acmetools", "realm_id", "9130357849016936"])
    expect(shown, text).not.toContain(text);
  expect([...origins]).toEqual([product.url]);
  expect(errors.filter((text) => /Content Security Policy/.test(text))).toEqual([]);
});

test("GEN-10 RP-13 an operator plays a recording in a page of its own: the recorded page, with its texts replaced, and no script of it", async ({
  openAs,
  product,
}) => {
  const page = await openAs("owner");
  await page.clock.install();
  await openPath(page, "/app/");
  const loaded = page.waitForResponse((response) => response.url().includes("open-recorder"));
  await page.clock.fastForward(11_000);
  expect((await loaded).ok()).toBe(true);
  await page.getByRole("link", { name: "Settings" }).first().click();
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  // Else a fast machine makes a recording of a few milliseconds, in which no place but the first can be chosen.
  await page.clock.fastForward(5_000);
  await page.getByRole("heading", { level: 1 }).click();
  const kept = page.waitForResponse((response) => response.url().endsWith("/telemetry/recordings"));
  await throwIn(page, { message: "Fault to be played" });
  expect((await kept).status()).toBe(200);

  const admin = await openAs("platform");
  const { errors, origins } = watch(admin);
  await openPath(admin, "/controller/recordings");
  const entry = admin.getByRole("row").filter({ hasText: "Error: Fault to be played" });
  await expect(entry).toContainText("owner@acme.example");
  const link = entry.getByRole("link", { name: /^Play/ });
  const path = (await link.getAttribute("href")) ?? "";
  await link.click();
  await expect(admin.getByRole("heading", { level: 1 })).toHaveText(/^Recording of \/(app|settings)\/$/);
  const frame = admin.frameLocator("iframe");
  await expect(frame.locator("nav").first()).toBeVisible();
  await expect(frame.getByText("xxxxxxxx", { exact: true }).first()).toBeVisible();
  await expect(frame.getByText(/Acme|Olive/)).toHaveCount(0);
  await expect.poll(() => listLoadedFonts(admin)).toContain("Lato 400");
  expect(await admin.locator("iframe").getAttribute("sandbox")).toBe("allow-same-origin");
  await admin.getByRole("button", { name: "Play" }).click();
  await expect(admin.getByRole("slider", { name: "Place in the recording" })).not.toHaveValue("0");
  const answer = await admin.request.get(path);
  expect(answer.headers()["content-security-policy"]).toBe(
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src data:; font-src 'self'; base-uri 'none'; object-src 'none'; form-action 'none'; frame-ancestors 'none'",
  );
  expect([...origins]).toEqual([product.url]);
  expect(errors).toEqual([]);
  expect((await page.request.get(path)).status()).toBe(403);
  const gone = await admin.request.get(path.replace(/[0-9a-f]{32}/, "0".repeat(32)));
  expect([gone.status(), await gone.text()]).toEqual([404, expect.stringContaining("removed after 14 days")]);
});

/** By RP-01, RP-02, RP-03, RP-06 and RP-07. */
const IGNORED: readonly Thrown[] = [
  { message: "Failed to load Stripe.js" },
  { message: "Stripe.js not available" },
  { message: "Network Error" },
  {
    message: "Of an extension",
    files: ["chrome-extension://abcdef/content.js", "/assets/shell-abcdefgh.js"],
  },
  { message: "Of another script", files: ["https://js.stripe.com/v3/"] },
];

test("RP-01 RP-02 RP-03 RP-06 RP-07 RP-11 errors that are not the product's are not reported, and its own are", async ({
  openAs,
}) => {
  const page = await openAs("guest");
  const { texts } = watch(page);
  await openPath(page, "/contact/");
  for (const thrown of IGNORED) await throwIn(page, thrown);
  await page.evaluate(() => {
    const promise = Promise.resolve();
    window.dispatchEvent(new PromiseRejectionEvent("unhandledrejection", { promise, reason: {} }));
  });
  await throwIn(page, { message: "Our own fault" });
  await expect.poll(texts).toEqual(["Our own fault"]);
});

for (const [id, status, inConsole] of [
  ["RP-04", 429, false],
  ["RP-05", 400, true],
  // The page asks to sign in again.
  ["RP-05 RP-10", 401, false],
] as const)
  test(`${id} an answer ${status} is not reported, and is ${inConsole ? "in" : "not put into"} the console`, async ({
    openAs,
  }) => {
    const page = await openAs("owner");
    const { texts, errors } = watch(page);
    await failList(page, status);
    await openPath(page, "/app/");
    const signIn = page.getByRole("main").getByRole("link", { name: "Sign in with Intuit" });
    await expect(page.getByText(`Answer ${status}`).or(signIn).first()).toBeVisible();
    await throwIn(page, { message: "Our own fault" });
    await expect.poll(texts).toEqual(["Our own fault"]);
    expect(errors.some((text) => text.includes(`ApiError: Answer ${status}`))).toBe(inConsole);
  });

test("RP-09 a failed action is reported", async ({ openAs }) => {
  const page = await openAs("owner");
  const { texts } = watch(page);
  await page.route("**/api/v1/contact", (route) =>
    route.fulfill({ status: 500, json: { detail: "Sending failed" } }),
  );
  await openPath(page, "/contact/");
  await page.getByRole("textbox", { name: "Message" }).fill("Hello");
  await page.getByRole("button", { name: "Send" }).click();
  await expect.poll(texts).toEqual(["Sending failed"]);
});

test("RP-12 FR-33 FR-34 FR-36 a page that fails to render says that it was reported, and is reported", async ({
  openAs,
}) => {
  const page = await openAs("owner");
  const { texts } = watch(page);
  await page.route(/\/settings-page-[\w-]+\.js$/, (route) =>
    route.fulfill({
      contentType: "text/javascript",
      body: "export function SettingsPage() { throw new Error('made to fail'); }",
    }),
  );
  await page.goto("/settings/");
  await expect(page.getByText("This error has been reported to our development team.")).toBeVisible();
  await expect.poll(texts).toEqual(["made to fail"]);
});

test("a page without errors loads nothing for reporting them", async ({ openAs }) => {
  const page = await openAs("owner");
  const scripts: string[] = [];
  page.on("request", (request) => scripts.push(request.url()));
  await openPath(page, "/app/");
  expect(scripts.filter((url) => url.includes("open-sender"))).toEqual([]);
  await throwIn(page, { message: "Our own fault" });
  await expect.poll(() => scripts.filter((url) => url.includes("open-sender")).length).toBe(1);
});
