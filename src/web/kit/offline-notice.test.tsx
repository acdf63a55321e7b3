import { ENDPOINTS } from "../../main/endpoints.ts";
import { shortenWaits, openAsOwner, owner, problem, renderApp, startServer } from "#web/test-support.tsx";
import { act, screen, waitFor } from "@testing-library/react";
import { expect, test, vi } from "vitest";

const server = await startServer();

const away = problem(503, "The database isn't responding right now.", "database_unavailable");
const NOTICE = "We can't reach our database right now.";

test("while the browser is offline the page says so, and that input is kept; the notice goes when it is online again", async () => {
  await openAsOwner(server, "/settings/", renderApp);
  const line = vi.spyOn(navigator, "onLine", "get");
  const become = (isOnline: boolean) =>
    act(() => {
      line.mockReturnValue(isOnline);
      window.dispatchEvent(new Event(isOnline ? "online" : "offline"));
    });
  expect(screen.queryByText("You're offline.")).toBeNull();
  become(false);
  expect(screen.getByText("You're offline.")).toBeTruthy();
  expect(
    screen.getByText("Nothing is sent until you're back online. Everything you entered stays on this page."),
  ).toBeTruthy();
  become(true);
  expect(screen.queryByText("You're offline.")).toBeNull();
  line.mockRestore();
});

test("HA-05 while the database is away a page says so and asks for a minute, then shows what it asked for", async () => {
  shortenWaits(5_000);
  let calls = 0;
  const { promise: first, resolve: answerFirst } = Promise.withResolvers<void>();
  server.on("GET /api/v1/user", () => {
    calls += 1;
    if (calls < 5) return away;
    return { json: owner(), wait: first };
  });
  server.visit("/settings/");
  renderApp();
  expect(await screen.findByText(NOTICE)).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Try again" })).toBeNull();
  answerFirst();
  expect(await screen.findByRole("heading", { level: 1, name: /Settings/ })).toBeTruthy();
  await waitFor(() => expect(screen.queryByText(NOTICE)).toBeNull());
});

test.each([
  "/app/",
  "/orders/",
  "/tracking/",
  "/label/",
  "/settings/",
  "/settings/developers/",
  "/settings/data/",
  "/controller/",
])("HA-05 %s says in one sentence that the database is away, and offers nothing to press", async (path) => {
  shortenWaits(5_000);
  for (const { method, path: called } of ENDPOINTS) if (method === "GET") server.on(`GET ${called}`, away);
  await openAsOwner(server, path, renderApp);
  await waitFor(() => expect(screen.getAllByText(NOTICE)).toHaveLength(1));
  const calls = server.requests.length;
  // Each reads again by itself, and still says nothing else.
  await waitFor(() => expect(server.requests.length).toBeGreaterThan(calls));
  expect(screen.getAllByText(NOTICE)).toHaveLength(1);
  expect(screen.queryAllByRole("alert")).toEqual([]);
  expect(screen.queryByRole("button", { name: /try again|reload/i })).toBeNull();
});
