import { acme, openAsOwner, owner, problem, renderPage, startServer, userEvent } from "#web/test-support.tsx";
import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";

const server = await startServer();

const entry = (id: string, title: string) => ({
  id,
  at: "2026-11-20T10:00:00.000Z",
  user: "olive@acme.example",
  action: "companies.change_settings",
  title,
  changes: [{ name: "invoice lookback", before: "30", after: "45" }],
  request_id: `request-${id}`,
});

test("SE-26 the admin opens the audit trail, searches it, loads older entries, and downloads the result", async () => {
  const asked: string[] = [];
  server.on("GET /api/v1/company/trail", ({ url }) => {
    asked.push(`${url.searchParams.get("search") ?? ""} ${url.searchParams.get("before") ?? ""}`.trim());
    if (url.searchParams.get("search") === "nothing") return { json: { entries: [], next: null } };
    if (url.searchParams.get("before"))
      return { json: { entries: [entry("2", "Added a user")], next: null } };
    return { json: { entries: [entry("1", "Changed settings")], next: "1.one" } };
  });
  await openAsOwner(server, "/settings/data/");
  await userEvent.click(await screen.findByRole("button", { name: "Audit trail" }));
  const table = await screen.findByRole("table", { name: "Entries of the audit trail" });
  expect(within(table).getAllByRole("row")[1]?.textContent).toMatch(
    /^Nov 20, 2026, .*olive@acme\.exampleChanged settingsinvoice lookback: 30 → 45$/,
  );
  await userEvent.click(screen.getByRole("button", { name: "Show older" }));
  await waitFor(() => expect(within(table).getAllByRole("row")).toHaveLength(3));
  await userEvent.type(screen.getByRole("searchbox", { name: "Search the trail" }), "nothing");
  expect(await screen.findByText('No entry matches "nothing".')).toBeTruthy();
  expect([asked.includes("1.one"), asked.at(-1)]).toEqual([true, "nothing"]);
  const downloads: string[] = [];
  server.on("GET /api/v1/company/trail/csv", ({ url }) => {
    downloads.push(url.search);
    return problem(403, "Only the company admin can do this.");
  });
  await userEvent.click(screen.getByRole("button", { name: "Download CSV" }));
  expect(await screen.findByText("Only the company admin can do this.")).toBeTruthy();
  expect(downloads).toEqual(["?realm_id=1&search=nothing"]);
});

test("SE-26 SE-13 other members see no audit trail", async () => {
  server.on("GET /api/v1/user", { json: owner({ companies: [{ ...acme, admin: "bob@beta.example" }] }) });
  server.visit("/settings/data/?section=audit");
  renderPage();
  await screen.findByRole("button", { name: "Signed-in devices" });
  expect(screen.queryByRole("button", { name: "Audit trail" })).toBeNull();
});
