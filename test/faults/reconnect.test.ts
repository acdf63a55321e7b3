import { expect, test } from "vitest";
import { fastClock } from "../support/fast-clock.ts";
import { ACME } from "../support/intuit.ts";
import { startApp } from "../support/start-app.ts";
import { settledUploads, uploadRows } from "../support/uploads.ts";
import { invoiceRows, liftLimits } from "./support/invoices.ts";

test("a company that is connected again in the very moment of the refusal stays connected, and its upload goes on", async () => {
  const app = await startApp({ clock: fastClock(30) });
  const browser = await app.owner(ACME);
  await liftLimits(app.intuit, ACME);
  const { invoices } = app.application;
  const booksOf = invoices.books;
  let reconnected = 0;
  invoices.books = (realmId) => {
    const books = booksOf(realmId);
    return {
      ...books,
      batch: (items, options) =>
        books.batch(items, options).catch(async (error: unknown) => {
          reconnected += 1;
          if (reconnected === 1) await browser.connect("owner@acme.example", ACME);
          throw error;
        }),
    };
  };
  await app.intuit.control("faults", [{ fault: "revoked", match: { operation: "batch" }, count: 1 }]);
  await uploadRows(browser, ACME, invoiceRows(20, { prefix: "RR" }));
  const [upload] = (await settledUploads(browser, ACME)).uploads;
  expect(upload?.counts).toMatchObject({ completed: 20, problems: 0, open: 0 });
  const companies = await browser.request("/api/v1/company");
  expect(companies.json()).toMatchObject({ companies: [{ id: ACME, connection: "connected" }] });
  expect(reconnected).toBe(1);
});
