import { acme, haveFacts, openAsOwner, startServer } from "#web/test-support.tsx";
import { screen } from "@testing-library/react";
import { expect, test } from "vitest";

const server = await startServer();
haveFacts({ sellsTracking: true, trackingPrice: "$29.00 a month" });

const open = async (services: string[]) => {
  const companies = [{ ...acme, services, connection: "connected" }];
  server.on("GET /api/v1/company", { json: { companies } });
  server.on("GET /api/v1/invoices", { json: { uploads: [], total_count: 0, in_process: false } });
  await openAsOwner(server, "/app/");
};

test("UP-05 the offer to turn on tracking says what it costs", async () => {
  await open([]);
  expect(
    await screen.findByText("Turn on Tracking Service in Settings to keep your invoices up to date."),
  ).toBeTruthy();
  expect(screen.getByText(/It costs \$29\.00 a month\./)).toBeTruthy();
});

test("a user with tracking is not asked to turn it on", async () => {
  await open(["tracking"]);
  await screen.findByText(/Invoice Upload service and Tracking Service\./);
  expect(screen.queryByText(/It costs/)).toBeNull();
});
