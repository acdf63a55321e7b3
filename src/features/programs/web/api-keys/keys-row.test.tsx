import {
  acme,
  openDialogs,
  openAsOwner,
  owner,
  problem,
  renderPage,
  startServer,
  userEvent,
} from "#web/test-support.tsx";
import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";

const server = await startServer();
beforeEach(openDialogs);

const key = (name: string, more: object = {}) => ({
  id: "00000000-0000-4000-8000-000000000001",
  name,
  scopes: ["orders"],
  ending: "AbCd",
  created_at: "2026-11-20T10:00:00.000Z",
  created_by: "olive@acme.example",
  last_used_at: null,
  revoked_at: null,
  ...more,
});

test("OI-12 the admin creates a named key, copies it once, and revokes it after a question", async () => {
  let keys: object[] = [];
  const sent: unknown[] = [];
  server.on("GET /api/v1/company/api-keys", () => ({ json: { keys } }));
  server.on("POST /api/v1/company/api-keys", ({ body }) => {
    sent.push(JSON.parse(body));
    if (keys.length > 0) return problem(409, "A key named Warehouse is in use. Choose another name.");
    keys = [key("Warehouse")];
    return { json: { key: keys[0], secret: "dk_secret" } };
  });
  server.on("DELETE /api/v1/company/api-keys", ({ url }) => {
    sent.push(url.searchParams.get("key_id"));
    keys = [key("Warehouse", { revoked_at: "2026-11-21T10:00:00.000Z" })];
    return { json: {} };
  });
  await openAsOwner(server, "/settings/developers/");
  const row = await screen.findByRole("button", { name: "API keys", description: /None yet$/ });
  await userEvent.click(row);
  const add = await screen.findByRole("checkbox", { name: "Add orders" });
  await userEvent.click(add);
  await userEvent.fill(screen.getByRole("textbox", { name: "Name" }), "Warehouse");
  await userEvent.keyboard("{Enter}");
  expect(sent).toEqual([]);
  await userEvent.click(screen.getByRole("checkbox", { name: "Upload invoices and read their results" }));
  await userEvent.type(screen.getByRole("textbox", { name: "Name" }), "{Enter}");
  expect(await screen.findByRole("textbox", { name: "The new key" })).toHaveProperty("value", "dk_secret");
  expect(document.activeElement?.textContent).toBe("Copy key");
  const list = await screen.findByRole("table", { name: "API keys of this company" });
  await waitFor(() => expect(list.textContent).toMatch(/Warehouse.*ends in AbCd.*Add orders.*Never/));
  expect(screen.getByRole("button", { name: "API keys", description: /1 key$/ })).toBe(row);
  await userEvent.fill(screen.getByRole("textbox", { name: "Name" }), "Warehouse");
  await userEvent.keyboard("{Enter}");
  expect(await screen.findByText("A key named Warehouse is in use. Choose another name.")).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: /^Revoke\s+Warehouse$/ }));
  const dialog = await screen.findByRole("dialog", { name: "Revoke the key Warehouse?" });
  await userEvent.click(within(dialog).getByRole("button", { name: "Revoke the key" }));
  await waitFor(() => expect(list.textContent).toMatch(/Revoked Nov 21, 2026/));
  expect(within(list).queryByRole("button")).toBeNull();
  expect(sent).toEqual([
    { name: "Warehouse", scopes: ["upload"] },
    { name: "Warehouse", scopes: ["upload"] },
    key("").id,
  ]);
  await userEvent.click(row);
  await userEvent.click(row);
  await screen.findByRole("table", { name: "API keys of this company" });
  expect(screen.queryByRole("textbox", { name: "The new key" })).toBeNull();
  expect(JSON.stringify({ ...sessionStorage, ...localStorage })).not.toContain("dk_secret");
});

const READ = "Read uploads, orders, labels, and tracking";

test.each([
  [["app"], ["Upload invoices and read their results", READ], READ],
  [["brainchild"], [READ, "Add orders"], "Add orders"],
])("OI-12 a new key offers what is open to the user, %s", async (groups, offered, chosen) => {
  server.on("GET /api/v1/company/api-keys", { json: { keys: [] } });
  server.on("GET /api/v1/user", { json: owner({ groups }) });
  server.visit("/settings/developers/?section=keys");
  renderPage();
  await screen.findByRole("form", { name: "New key" });
  const boxes = screen.getAllByRole<HTMLInputElement>("checkbox");
  expect(boxes.map((box) => box.labels?.[0]?.textContent)).toEqual(offered);
  expect(boxes.filter((box) => box.checked).map((box) => box.labels?.[0]?.textContent)).toEqual([chosen]);
});

test("OI-12 SE-13 other members see no API keys, and see whom to ask", async () => {
  server.on("GET /api/v1/user", { json: owner({ companies: [{ ...acme, admin: "bob@beta.example" }] }) });
  server.visit("/settings/developers/?section=keys");
  renderPage();
  expect(await screen.findByText(/^Only the company admin can do this\. Ask bob@beta\.example/)).toBeTruthy();
  expect(screen.queryByRole("button", { name: "API keys" })).toBeNull();
});
