import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { acme, owner, renderPage, startServer, userEvent } from "#web/test-support.tsx";

const server = await startServer();

test("when an admin asks to pay in another user's place, the focus is on the safe answer, and then back on the button", async () => {
  server.on("GET /api/v1/user", { json: owner({ companies: [acme] }) });
  server.on("GET /api/v1/company", {
    json: { companies: [{ ...acme, services: [], connection: "connected" }] },
  });
  server.on("GET /api/v1/stripe/payer", { json: { payer: "carl@acme.example", is_payer: false } });
  server.visit("/settings/");
  renderPage();
  const asks = { name: "Pay for this company yourself" };
  (await screen.findByRole("button", asks)).focus();
  await userEvent.keyboard("{Enter}");
  expect(document.activeElement).toBe(screen.getByRole("button", { name: "Keep the current payer" }));
  await userEvent.keyboard("{Enter}");
  expect(document.activeElement).toBe(screen.getByRole("button", asks));
});
