import { acme, openAsOwner, startServer } from "#web/test-support.tsx";
import { screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";

const server = await startServer();

const open = async (more: object) => {
  const companies = [{ ...acme, services: ["tracking"], connection: "connected", ...more }];
  server.on("GET /api/v1/company", { json: { companies } });
  server.on("GET /api/v1/invoices", { json: { uploads: [], total_count: 0, in_process: false } });
  await openAsOwner(server, "/app/");
  await screen.findByText("No recent uploads to this company.");
  const paths = () => server.requests.map(({ url }) => url.pathname);
  await waitFor(() => expect(paths()).toContain("/api/v1/company"));
};

test("the Upload page warns of an unpaid renewal, with its last day, the consequence, and a link to pay", async () => {
  await open({ unpaid_until: "2026-12-05T12:00:00.000Z" });
  expect(screen.getByText("The last payment failed").closest('[role="group"]')?.textContent).toContain(
    "It stays on until Dec 5, 2026; then tracking stops. Your data and settings are kept.",
  );
  const link = screen.getByRole("link", { name: "Fix the payment in Settings" });
  expect(link.getAttribute("href")).toBe("/settings/");
});

test("without an unpaid renewal there is no payment notice", async () => {
  await open({});
  expect(screen.queryByText("The last payment failed")).toBeNull();
});
