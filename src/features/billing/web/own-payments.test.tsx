import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { beta, owner, problem, renderPage, startServer, userEvent } from "#web/test-support.tsx";

const server = await startServer();

const open = (...payments: { id: string; name: string; is_connected: boolean }[]) => {
  server.on("GET /api/v1/user", { json: owner({ companies: [beta] }) });
  server.on("GET /api/v1/stripe/payments", { json: payments });
  server.visit("/settings/");
  renderPage();
};

test("a payer who is no longer the company's admin sees that in Settings and can open the billing portal", async () => {
  open({ id: beta.id, name: beta.name, is_connected: true });
  server.on("GET /api/v1/stripe/billing", problem(503, "Stripe did not answer. Try again in a minute."));
  expect(await screen.findByRole("heading", { name: "You pay for Beta Supply" })).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "Open billing portal" }));
  expect(await screen.findByText(/Stripe did not answer/)).toBeTruthy();
});

test("a payer of a disconnected company, which is gone from the lists, still finds the billing portal in Settings", async () => {
  open({ id: "9", name: "Gone Goods", is_connected: false });
  const section = await screen.findByRole("region", { name: "You pay for Gone Goods" });
  expect(section.textContent).toContain("It's disconnected, but your card still pays for its services.");
  server.on("GET /api/v1/stripe/billing", problem(503, "Stripe did not answer. Try again in a minute."));
  await userEvent.click(screen.getByRole("button", { name: "Open billing portal" }));
  expect(await screen.findByText(/Stripe did not answer/)).toBeTruthy();
  const asked = server.requests.find(({ url }) => url.pathname.endsWith("/stripe/billing"));
  expect(asked?.url.searchParams.get("realm_id")).toBe("9");
});

test("other members see nothing about payments", async () => {
  open();
  await screen.findByRole("heading", { name: "Connected Companies" });
  await expect
    .poll(() => server.requests.some(({ url }) => url.pathname.endsWith("/stripe/payments")))
    .toBe(true);
  expect(screen.queryByRole("heading", { name: /^You pay/ })).toBeNull();
});
