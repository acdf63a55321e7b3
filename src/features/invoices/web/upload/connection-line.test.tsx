import { acme, haveFacts, owner, renderPage, startServer } from "#web/test-support.tsx";
import { screen } from "@testing-library/react";
import { expect, test } from "vitest";

const server = await startServer();
haveFacts({ sellsTracking: true, trackingPrice: "$29.00 a month" });

/** The companies are not read yet: what the line says then is what stays. */
const open = (company: object) => {
  server.on("GET /api/v1/user", { json: owner({ companies: [company] }) });
  server.on("GET /api/v1/company", { wait: new Promise(() => undefined) });
  server.on("GET /api/v1/invoices", { json: { uploads: [], total_count: 0, in_process: false } });
  server.visit("/app/");
  renderPage();
};

test("UP-05 the offer to turn on tracking says what it costs", async () => {
  open(acme);
  expect(
    await screen.findByText("Turn on Tracking Service in Settings to keep your invoices up to date."),
  ).toBeTruthy();
  expect(screen.getByText(/It costs \$29\.00 a month\./)).toBeTruthy();
});

test("a user with tracking is not asked to turn it on", async () => {
  open({ ...acme, tracking: true });
  await screen.findByText(/Invoice Upload service and Tracking Service\./);
  expect(screen.queryByText(/It costs/)).toBeNull();
});
