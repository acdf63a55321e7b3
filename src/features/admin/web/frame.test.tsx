import { owner, renderPage, startServer, userEvent } from "#web/test-support.tsx";
import { screen } from "@testing-library/react";
import { expect, test } from "vitest";

const server = await startServer();

const figures = { invoices: 0, invoice_cents: 0, labels: 0, deliveries: 0, attention: {} };
const lists = () =>
  server.asked.filter(({ url }) => url.pathname === "/api/v1/admin/lists/companies").map(({ cell }) => cell);

test("OP-18 an operator of several databases chooses the one that Admin shows, in all of its pages", async () => {
  server.on("GET /api/v1/user", { json: { ...owner(), groups: ["app", "admin"] } });
  server.on("GET /api/v1/admin/overview", { json: { ...figures, cells: ["home", "east", "west"] } });
  server.on("GET /api/v1/admin/lists/companies", { json: { list: "companies", rows: [], next: null } });
  server.visit("/controller/companies");
  renderPage();
  const [choice] = await screen.findAllByRole("combobox", { name: "Database" });
  if (!choice) throw new Error("There is no choice.");
  expect(choice).toHaveProperty("value", "home");
  await expect.poll(lists).toEqual(["home"]);
  await userEvent.selectOptions(choice, "east");
  await expect.poll(() => [...new Set(lists())]).toEqual(["home", "east"]);
  expect(choice).toHaveProperty("value", "east");
});

test("an operator of one database has no choice of databases", async () => {
  server.on("GET /api/v1/user", { json: { ...owner(), groups: ["app", "admin"] } });
  server.on("GET /api/v1/admin/overview", { json: { ...figures, cells: ["home"] } });
  server.visit("/controller/companies");
  renderPage();
  await screen.findByRole("heading", { level: 2, name: "Companies" });
  expect(screen.queryAllByRole("combobox", { name: "Database" })).toEqual([]);
});
