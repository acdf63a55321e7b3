import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  expect,
  type Page,
} from "@playwright/test";
import type { Product } from "../../support/run-product.ts";

/** People of the demo, by what they may do. */
export const USERS = {
  owner: "Olive Owner",
  clerk: "Carl Clerk",
  labels: "Lara Labels",
  platform: "Pia Platform",
  plain: "Paul Plain",
  nocompany: "Nia New",
} as const;
/** Acme Tools, which both users of two companies begin with. */
const FIRST_COMPANY = "9130357849016936";
export type Who = keyof typeof USERS | "guest";

type State = Awaited<ReturnType<BrowserContext["storageState"]>>;

/** Sign-ins already made at a product; signing in takes longer than most tests. */
const states = new Map<string, Promise<State>>();

/** A page of its own browser, signed in as a user. */
export async function openAs(
  { browser, product }: { browser: Browser; product: Product },
  who: Who,
  options: BrowserContextOptions = {},
): Promise<Page> {
  const state = who === "guest" ? {} : { storageState: await signedIn(browser, product, USERS[who]) };
  const context = await browser.newContext({ baseURL: product.url, locale: "en-US", ...state, ...options });
  // A page begins with the company its user worked in last, in an earlier test too.
  if (who === "owner" || who === "platform") {
    const reply = await context.request.post(`/api/v1/user/company?realm_id=${FIRST_COMPANY}`, {
      headers: { origin: product.url },
    });
    expect(reply.status(), "the session that the tests share").toBeLessThan(300);
  }
  return context.newPage();
}

function signedIn(browser: Browser, product: Product, user: string): Promise<State> {
  const key = `${product.url} ${user}`;
  const known = states.get(key);
  if (known) return known;
  const fresh = signIn(browser, product, user);
  states.set(key, fresh);
  return fresh;
}

async function signIn(browser: Browser, product: Product, user: string): Promise<State> {
  const context = await browser.newContext({ baseURL: product.url });
  const page = await context.newPage();
  await page.goto("/login/");
  await chooseOnConsentPage(page, { user });
  await page.waitForURL(`${product.url}/**`);
  const state = await context.storageState();
  await context.close();
  return state;
}

/** Answers the simulated Intuit's consent page as a user does; who has signed in there isn't asked who they are again. */
export async function chooseOnConsentPage(
  page: Page,
  choice: { user: string; company?: string },
): Promise<void> {
  const user = page.getByRole("radio", { name: new RegExp(choice.user) });
  const allow = page.getByRole("button", { name: "Allow" });
  await expect(user.or(allow).first()).toBeVisible();
  if (await user.isVisible()) {
    await user.check();
    await page.getByRole("button", { name: "Continue" }).click();
  }
  if (choice.company) await page.getByRole("radio", { name: new RegExp(choice.company) }).check();
  await allow.click();
}

/** Ends the session in the moment in which the page sends a change: sooner, what the page reads by itself could find out. */
export async function endSessionAtNextChange(page: Page): Promise<void> {
  let ended = false;
  await page.route("**/api/**", async (route) => {
    if (!ended && route.request().method() !== "GET") {
      ended = true;
      await page.context().clearCookies();
    }
    await route.continue();
  });
}

/** Opens a path and waits until the page has drawn what it has to say. */
export async function openPath(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await settled(page);
}

/**
 * Waits for the page's script, its top bar, which waits for the session, its chunk and its lists: what is waited for is marked as busy before its
 * spinner comes. Calls may go on: a stream of changes never ends.
 */
async function settled(page: Page): Promise<void> {
  await page.locator("[aria-live=polite]").waitFor({ state: "attached" });
  await page.locator("h1").first().waitFor();
  // The gallery shows its spinners for good.
  if (new URL(page.url()).pathname.startsWith("/gallery")) return;
  await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
}

/**
 * Waits until the page has asked for everything that it was about to ask for: a page's requests are seen in the order in
 * which it makes them, so one made by the test comes last. The first lets work run that an answer has only just begun.
 */
export async function allAsked(page: Page): Promise<void> {
  for (const round of [1, 2])
    await page.evaluate((number) => fetch(`/images/logo.svg?${number}`, { cache: "no-store" }), round);
}
