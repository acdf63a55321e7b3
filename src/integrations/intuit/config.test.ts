import { expect, test } from "vitest";
import { readConfig } from "#platform/config/read-config.ts";
import { invoicePageUrl } from "#integrations/intuit/config.ts";

const APP = { INTUIT_CLIENT_ID: "id-1", INTUIT_CLIENT_SECRET: "secret-1" };
const pageWith = (environment: Record<string, string>) =>
  invoicePageUrl(readConfig(environment).intuit, { realmId: "9130", id: "145" });

test("an invoice's page is QuickBooks' own, of the sandbox, or of the simulator", () => {
  expect(pageWith({ ...APP, INTUIT_ENVIRONMENT: "production", PUBLIC_URL: "https://dockside.example" })).toBe(
    "https://app.qbo.intuit.com/app/invoice?txnId=145",
  );
  expect(pageWith(APP)).toBe("https://app.sandbox.qbo.intuit.com/app/invoice?txnId=145");
  expect(pageWith({})).toBe("http://localhost:3001/qbo/9130#invoice-145");
});
