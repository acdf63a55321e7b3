import { expect, test } from "vitest";
import { readConfig } from "#platform/config/read-config.ts";
import { intuitFileHosts, invoicePageUrl } from "#integrations/intuit/config.ts";

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

test("stored files are read only from Intuit's hosts and from the simulator's own address", () => {
  const hosts = intuitFileHosts(readConfig(APP).intuit);
  const isAllowed = (host: string) => hosts.some((pattern) => pattern.test(host));
  expect(
    [
      "intuit-qbo-prod-30.s3.amazonaws.com",
      "intuit-qbo-preprod-17.s3.amazonaws.com",
      "intuit-qbo-prod.s3.us-west-2.amazonaws.com",
      "sandbox-quickbooks.api.intuit.com",
    ].filter((host) => !isAllowed(host)),
  ).toEqual([]);
  expect(
    [
      "evil-intuit-qbo-prod-30.s3.amazonaws.com",
      "intuit-qbo-prod-30.s3.amazonaws.com.evil.example",
      "intuit-qbo-prod-30.s3.evil.example.amazonaws.com",
      "intuit.com.evil.example",
      "evilintuit.com",
      "localhost",
    ].filter(isAllowed),
  ).toEqual([]);
  expect(intuitFileHosts(readConfig({}).intuit)).toEqual([]);
});
