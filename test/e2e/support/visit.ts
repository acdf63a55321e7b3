import type { Browser, BrowserContext, BrowserContextOptions, Page } from "@playwright/test";
import type { Product } from "../../support/run-product.ts";
import { chooseOnConsentPage } from "../product.ts";

/** People of the demo, by what they may do. */
export const PEOPLE = {
  owner: "Olive Owner",
  clerk: "Carl Clerk",
  labels: "Lara Labels",
  platform: "Pia Platform",
  plain: "Paul Plain",
  nocompany: "Nia New",
} as const;
export type Who = keyof typeof PEOPLE | "guest";

type State = Awaited<ReturnType<BrowserContext["storageState"]>>;

/** Sign-ins already made at a product; signing in takes longer than most tests. */
const states = new Map<string, Promise<State>>();

/** A page of a browser of its own, signed in as somebody. */
export async function openAs(
  { browser, product }: { browser: Browser; product: Product },
  who: Who,
  options: BrowserContextOptions = {},
): Promise<Page> {
  const state = who === "guest" ? {} : { storageState: await signedIn(browser, product, PEOPLE[who]) };
  const context = await browser.newContext({ baseURL: product.url, locale: "en-US", ...state, ...options });
  return context.newPage();
}

function signedIn(browser: Browser, product: Product, person: string): Promise<State> {
  const key = `${product.url} ${person}`;
  const known = states.get(key);
  if (known) return known;
  const fresh = signIn(browser, product, person);
  states.set(key, fresh);
  return fresh;
}

async function signIn(browser: Browser, product: Product, person: string): Promise<State> {
  const context = await browser.newContext({ baseURL: product.url });
  const page = await context.newPage();
  await page.goto("/login/");
  await chooseOnConsentPage(page, { person });
  await page.waitForURL(`${product.url}/**`);
  const state = await context.storageState();
  await context.close();
  return state;
}

/** Opens a path and waits until the page has drawn what it has to say. */
export async function openPath(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await settled(page);
}

/** A spinner comes after 200 ms, so only later does its absence tell that nothing is waited for. */
const SPINNER_MS = 300;

/** Waits for the session, the page's chunk and its lists. Calls may go on: a stream of changes never ends. */
async function settled(page: Page): Promise<void> {
  await page.locator("h1").first().waitFor();
  await page.waitForTimeout(SPINNER_MS);
  await page.waitForFunction(() => !document.querySelector("[role=progressbar][aria-label^=Loading]"));
}
