import { expect, test } from "vitest";
import { postInvoices } from "#features/invoices/contract.ts";
import { ACME, type BooksInvoice, liftLimits } from "../support/intuit.ts";
import { startApp } from "../support/start-app.ts";
import { settledUploads } from "../support/uploads.ts";
import { makeMoneySheet } from "./money-sheets.ts";
import { planMoneySheet } from "./plan-money-sheet.ts";

/** Names in the books of the simulated company. */
const NAMES = {
  customers: ["Cool Cars", "Red Rock Diner", "Amy's Bird Sanctuary"],
  items: ["Claw Hammer"],
};

test("the amounts of 30 sheets from other programs are in the books to the cent, or not in them at all", async () => {
  const sheets = Array.from({ length: 600 }, (_, seed) => makeMoneySheet(1000 + seed, NAMES))
    .filter((sheet) => {
      const outcome = planMoneySheet(sheet, new Map(), NAMES);
      return "plan" in outcome && outcome.plan.invoices.some(({ draft }) => draft !== null);
    })
    .slice(0, 30);
  expect(sheets).toHaveLength(30);
  const app = await startApp();
  const browser = await app.owner(ACME);
  await liftLimits(app.intuit, ACME);
  for (const { fileName: name, bytes } of sheets) {
    const file = { name, bytes };
    const reply = await browser.call(postInvoices, { query: { realm_id: ACME }, file });
    expect([name, reply.status]).toEqual([name, 202]);
  }
  await settledUploads(browser, ACME);
  const books = await app.intuit.invoices(ACME);
  const found = sheets.flatMap(({ invoices }) =>
    invoices.flatMap(({ number, cents }) => {
      const posted = books.find(({ DocNumber }) => DocNumber === number);
      return posted ? [{ number, made: cents, posted: billedCents(posted) }] : [];
    }),
  );
  expect(found.filter(({ made, posted }) => made !== posted)).toEqual([]);
  expect(found.length).toBeGreaterThan(50);
}, 300_000);

/** Sums what the lines of an invoice bill, without tax. */
const billedCents = ({ Line }: BooksInvoice): number =>
  Line.reduce((sum, { Amount, DetailType }) => {
    if (DetailType === "SubTotalLineDetail") return sum;
    const cents = Math.round(Amount * 100);
    return DetailType === "DiscountLineDetail" ? sum - cents : sum + cents;
  }, 0);
