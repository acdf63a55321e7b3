import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { beta, owner, problem, renderPage, startServer, userEvent } from "#web/test-support.tsx";

const server = await startServer();

const open = (isPayer: boolean) => {
  server.on("GET /api/v1/user", { json: owner({ companies: [beta] }) });
  server.on("GET /api/v1/stripe/payer", { json: { payer: null, is_payer: isPayer } });
  server.visit("/settings/");
  renderPage();
};

test("a payer who is no longer the company's admin sees that in Settings and can open the billing portal", async () => {
  open(true);
  server.on("GET /api/v1/stripe/billing", problem(503, "Stripe did not answer. Try again in a minute."));
  expect(await screen.findByRole("heading", { name: "You pay for Beta Supply" })).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "Open billing portal" }));
  expect(await screen.findByText(/Stripe did not answer/)).toBeTruthy();
});

test("other members see nothing about payments", async () => {
  open(false);
  await screen.findByRole("heading", { name: "Connected Companies" });
  await expect
    .poll(() => server.requests.some(({ url }) => url.pathname.endsWith("/stripe/payer")))
    .toBe(true);
  expect(screen.queryByRole("heading", { name: /^You pay/ })).toBeNull();
});
