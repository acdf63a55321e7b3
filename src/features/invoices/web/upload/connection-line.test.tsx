import { expect, test } from "vitest";

// The page reads this data once when it starts, so it must exist before the import.
const shell = document.createElement("script");
shell.type = "application/json";
shell.id = "boot";
shell.textContent = JSON.stringify({ sells_tracking: true, tracking_price: "$29.00 a month" });
document.head.append(shell);
const { acme, openAsOwner, startServer } = await import("#web/test-support.tsx");
const { screen } = await import("@testing-library/react");
const server = await startServer();

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
