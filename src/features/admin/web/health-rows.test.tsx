import type { Health } from "#features/health/contract.ts";
import {
  shortenWaits,
  owner,
  problem,
  renderApp,
  renderPage,
  startServer,
  userEvent,
} from "#web/test-support.tsx";
import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";

const server = await startServer();
const HEALTH = "GET /api/v1/admin/health";

const primary = {
  primary: "10.0.0.5:5432",
  timeline: "00000003",
  standbys: [
    { name: "node2", is_synchronous: true, lag_seconds: 0 },
    { name: "node3", is_synchronous: false, lag_seconds: 2.4 },
  ],
  fault: null,
  replica: null,
};

function answer(database: Health["database"]) {
  server.on(HEALTH, {
    json: {
      database,
      queue: null,
      intuit_reads: null,
      objects: null,
      ups: null,
      disk: null,
      vendors: [],
    },
  });
}

function open(render: () => unknown = renderPage) {
  server.on("GET /api/v1/user", { json: owner() });
  server.on("GET /api/v1/admin/overview", { json: { waiting: {}, of_customers: {} } });
  server.on("GET /api/v1/admin/days", { json: { days: [] } });
  server.visit("/controller/");
  render();
}

/** State and facts of a part in the Health section. */
async function readPart(name: string) {
  const row = await screen.findByRole("row", { name: new RegExp(`^${name}`) });
  return within(row)
    .getAllByRole("cell")
    .map(({ textContent }) => textContent);
}

const FAULT = "0 of 1 synchronous standbys are connected: new data is stored on one machine only.";

test.each<[string, Health["database"], string[]]>([
  [
    "a primary and its standbys",
    primary,
    ["OK", "Primary 10.0.0.5:5432, standby node2, asynchronous standby node3 2.4 s behind"],
  ],
  ["too few standbys", { ...primary, standbys: [], fault: FAULT }, ["Too few standbys", FAULT]],
  ["a database on this machine", { ...primary, primary: null, standbys: [] }, ["OK", "Responding"]],
  ["standbys that can't be seen", { ...primary, standbys: null }, ["OK", "Primary 10.0.0.5:5432"]],
  ["no response from the database", null, ["Not responding", ""]],
])("HA-06 Admin's Health section shows %s", async (_, database, expected) => {
  answer(database);
  open();
  expect(await readPart("Database")).toEqual(expected);
  expect(screen.queryByRole("row", { name: /^Replica/ })).toBeNull();
});

test.each([
  [{ lag_seconds: 3.2, fault: null }, ["OK", "Lists, exports, and backups are read from it, 3.2 s behind"]],
  [{ lag_seconds: null, fault: "The replica is 75 s behind." }, ["Not used", "The replica is 75 s behind."]],
])("HA-07 Admin's Health section says whether the replica is read: %o", async (replica, expected) => {
  answer({ ...primary, replica });
  open();
  expect(await readPart("Replica")).toEqual(expected);
  expect((await readPart("Database"))[0]).toBe("OK");
});

test("HA-05 while the database is down, Admin says so and keeps the search text; it shows the results once the database is back", async () => {
  shortenWaits(5_000);
  const away = problem(503, "The database isn't responding right now.", "database_unavailable");
  server.on(HEALTH, away);
  server.on("GET /api/v1/admin/search", away);
  open(renderApp);
  const field = await screen.findByRole<HTMLInputElement>("searchbox");
  await userEvent.fill(field, "80001");
  expect(await screen.findByText("We can't reach our database right now.")).toBeTruthy();
  const hasRetried = () => server.requests.filter(({ url }) => url.pathname.endsWith("/search")).length > 2;
  await waitFor(() => expect(hasRetried()).toBe(true));
  expect(screen.queryByRole("button", { name: "Try again" })).toBeNull();
  answer(primary);
  const hit = { page: "orders", title: "PO # 80001", note: "Acme Tools", search: "80001" };
  server.on("GET /api/v1/admin/search", { json: { hits: [hit] } });
  expect((await readPart("Database"))[0]).toBe("OK");
  expect(await screen.findByRole("link", { name: /PO # 80001/ })).toBeTruthy();
  await waitFor(() => expect(screen.queryByText("We can't reach our database right now.")).toBeNull());
  expect(field.value).toBe("80001");
});
