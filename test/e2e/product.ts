import { test as base, type Page } from "@playwright/test";
import { findPlace, removePlace, runProduct, type Product } from "../support/run-product.ts";

export { expect } from "@playwright/test";

type Fixtures = {
  /** Signs a demo person in by the simulated Intuit's own page. */
  signIn(page: Page, name: string): Promise<void>;
};

/** Browser tests against the whole product; each worker of the runner has one of its own. */
export const test = base.extend<Fixtures, { product: Product }>({
  product: [
    // eslint-disable-next-line no-empty-pattern -- the runner wants a destructured first argument
    async ({}, use) => {
      const place = await findPlace();
      const product = await runProduct(place);
      await use(product);
      await product.stop();
      await removePlace(place);
    },
    { scope: "worker", timeout: 90_000 },
  ],
  baseURL: async ({ product }, use) => use(product.url),
  signIn: async ({ product }, use) => {
    await use(async (page, name) => {
      await page.goto(`${product.url}/login/`);
      await chooseOnConsentPage(page, { person: name });
    });
  },
});

/** Answers the simulated Intuit's consent page as a person would. */
export async function chooseOnConsentPage(
  page: Page,
  choice: { person: string; company?: string },
): Promise<void> {
  await page.getByRole("radio", { name: new RegExp(choice.person) }).check();
  await page.getByRole("button", { name: "Continue" }).click();
  if (choice.company) await page.getByRole("radio", { name: new RegExp(choice.company) }).check();
  await page.getByRole("button", { name: "Allow" }).click();
}
