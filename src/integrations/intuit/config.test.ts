import { expect, test } from "vitest";
import { readConfig } from "#platform/config/read-config.ts";
import { invoicePageUrl } from "#integrations/intuit/config.ts";

const APP = { INTUIT_CLIENT_ID: "id-1", INTUIT_CLIENT_SECRET: "secret-1" };
const pageWith = (environment: Record<string, string>) =>
  invoicePageUrl(readConfig(environment).intuit, { realmId: "9130", id: "145" });

test("an invoice's page names its company, in QuickBooks, in its sandbox and in the simulator", () => {
  expect(pageWith({ ...APP, INTUIT_ENVIRONMENT: "production", PUBLIC_URL: "https://dockside.example" })).toBe(
    "https://qbo.intuit.com/app/login?pagereq=invoice%3FtxnId%3D145&deeplinkcompanyid=9130",
  );
  expect(pageWith(APP)).toBe(
    "https://app.sandbox.qbo.intuit.com/app/login?pagereq=invoice%3FtxnId%3D145&deeplinkcompanyid=9130",
  );
  expect(pageWith({})).toBe("http://localhost:3001/qbo/9130#invoice-145");
});
