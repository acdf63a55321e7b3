import { appendFileSync } from "node:fs";
import { relative } from "node:path";
import { test as base, type BrowserContextOptions, type Page } from "@playwright/test";
import { resetDemo as reset } from "#features/companies/contract.ts";
import { HTTP_LIMITS } from "#platform/http/limits.ts";
import { createBrowser, type Browser } from "../support/browser.ts";
import { driveIntuit } from "../support/intuit.ts";
import { createInstance, removeInstance, runProduct, type Product } from "../support/run-product.ts";
import { treeCpuSeconds } from "./support/cpu.ts";
import { chooseOnConsentPage, openAs, type Who } from "./support/visit.ts";

export { expect } from "@playwright/test";

type Fixtures = {
  /**
   * Puts the demo back to its first state before each file's first test: files do not see one another. Notes in the file
   * that LEDGER names the CPU seconds of the test.
   */
  ownState: void;
  /** A page of its own browser, signed in as a user; it ends with the test. */
  openAs(who: Who, options?: BrowserContextOptions): Promise<Page>;
  /** Signs a demo user in through the simulated Intuit's own page. */
  signIn(page: Page, name: string): Promise<void>;
};

/** Browser tests against the complete product; each worker of the runner has its own. */
export const test = base.extend<Fixtures, { product: Product }>({
  product: [
    // eslint-disable-next-line no-empty-pattern -- the runner wants a destructured first argument
    async ({}, use) => {
      const place = await createInstance();
      // Tests share the sessions of users, and a fast machine runs several tests in one minute.
      const product = await runProduct(place, { CALLS_PER_MINUTE: String(3 * HTTP_LIMITS.callsPerMinute) });
      await use(product);
      await product.stop();
      await removeInstance(place);
    },
    { scope: "worker", timeout: 180_000 },
  ],
  ownState: [
    async ({ product }, use, { file }) => {
      const { LEDGER } = process.env;
      const before = LEDGER ? treeCpuSeconds() : 0;
      if (lastFile !== null && lastFile !== file) await resetDemo(product);
      lastFile = file;
      await use();
      if (!LEDGER) return;
      const seconds = Math.round((treeCpuSeconds() - before) * 100) / 100;
      appendFileSync(LEDGER, `${JSON.stringify([relative(process.cwd(), file), seconds])}\n`);
    },
    { auto: true },
  ],
  openAs: async ({ browser, product }, use, info) => {
    const pages: Page[] = [];
    const faults: string[] = [];
    await use(async (who, options) => {
      const page = await openAs({ browser, product }, who, options);
      pages.push(page);
      noteFaults(page, faults);
      return page;
    });
    if (info.status !== info.expectedStatus) await reportWhatWasThere(info.title, { pages, faults });
    // A test may have ended one itself.
    const open = pages.filter((page) => !page.isClosed());
    // A stand-in of a route may still wait for the product's answer; it ends with its page, and that isn't a fault.
    await Promise.all(open.map((page) => page.unrouteAll({ behavior: "ignoreErrors" })));
    await Promise.all(pages.map((page) => page.context().close()));
  },
  baseURL: async ({ product }, use) => use(product.url),
  signIn: async ({ product }, use) => {
    await use(async (page, name) => {
      await page.goto(`${product.url}/login/`);
      await chooseOnConsentPage(page, { user: name });
    });
  },
});

/** Notes calls that failed and errors of the console. */
function noteFaults(page: Page, faults: string[]): void {
  page.on("response", (response) => {
    if (response.status() >= 400)
      faults.push(`${response.status()} ${response.request().method()} ${response.url()}`);
  });
  page.on("requestfailed", (request) => faults.push(`${request.failure()?.errorText} ${request.url()}`));
  page.on("console", (message) => {
    if (message.type() === "error") faults.push(message.text());
  });
}

/** Prints what a reader of a CI log needs, who has no files of the run: what each page showed and what failed before. */
async function reportWhatWasThere(
  title: string,
  { pages, faults }: { pages: readonly Page[]; faults: readonly string[] },
): Promise<void> {
  const shown = pages
    .filter((page) => !page.isClosed())
    .map(async (page) => `${page.url()}\n${await page.locator("body").ariaSnapshot({ timeout: 5000 })}`);
  const texts = await Promise.allSettled(shown);
  const lines = [`When "${title}" failed:`, ...faults.slice(-20), ...texts.map(settledText)];
  process.stdout.write(`${lines.join("\n")}\n`);
}

const settledText = (shown: PromiseSettledResult<string>) =>
  shown.status === "fulfilled" ? shown.value : String(shown.reason);

/** Last test file of this worker, which runs several files one after the other on one product. */
let lastFile: string | null = null;

/** One session for all resets of this worker: a fast machine begins more files in a minute than one address may sign in. */
let owner: Browser | null = null;

async function resetDemo({ url, intuitUrl }: Product): Promise<void> {
  owner ??= createBrowser(url, driveIntuit(intuitUrl));
  let reply = await owner.call(reset);
  if (reply.status === 401) {
    await owner.signIn("owner@acme.example");
    reply = await owner.call(reset);
  }
  if (reply.status !== 200) throw new Error(`The demo was not reset: ${reply.text}`);
}
