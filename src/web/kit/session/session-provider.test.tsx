import { createQueryClient, queryKeys } from "#web/kit/query-client.ts";
import { ReporterContext } from "#web/kit/reporter.ts";
import { SessionProvider } from "#web/kit/session/session-provider.tsx";
import { type Session, useSession } from "#web/kit/session/session.ts";
import { acme, beta, owner, problem, recordingReporter, startServer } from "#web/test-support.tsx";
import { type QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, cleanup, render, waitFor } from "@testing-library/react";
import { realmStore } from "#web/kit/session/realm-store.ts";
import { expect, onTestFinished, test } from "vitest";

const server = await startServer();

/** Renders a session and records each value. */
function drawSession() {
  const seen: Session[] = [];
  const recording = recordingReporter();
  const queries: QueryClient = createQueryClient(recording.reporter);
  function Probe() {
    seen.push(useSession());
    return null;
  }
  render(
    <ReporterContext value={recording.reporter}>
      <QueryClientProvider client={queries}>
        <SessionProvider>
          <Probe />
        </SessionProvider>
      </QueryClientProvider>
    </ReporterContext>,
  );
  const now = () => seen.at(-1)!;
  return {
    now,
    queries,
    ...recording,
    statuses: () => [...new Set(seen.map(({ authStatus }) => authStatus))],
  };
}

test("AU-01 the status is unknown before the first request and after a canceled one", async () => {
  const seen: string[] = [];
  function Probe() {
    seen.push(useSession().authStatus);
    return null;
  }
  render(<Probe />);
  expect(seen).toEqual(["unknown"]);

  server.on("GET /api/v1/user", { json: owner(), wait: new Promise(() => undefined) });
  const session = drawSession();
  expect(session.now().authStatus).toBe("loading");
  await act(() => session.queries.cancelQueries({ queryKey: queryKeys.user }));
  await waitFor(() => expect(session.now().authStatus).toBe("unknown"));
  server.on("GET /api/v1/user", { json: owner() });
  act(() => session.now().retry());
  await waitFor(() => expect(session.now().authStatus).toBe("success"));
});

test("AU-02 AU-04 a successful sign-in goes through loading to success with all data of the user", async () => {
  server.on("GET /api/v1/user", { json: owner({ groups: ["app"] }) });
  const session = drawSession();
  await waitFor(() => expect(session.now().authStatus).toBe("success"));
  expect(session.statuses()).toEqual(["loading", "success"]);
  expect(session.now()).toMatchObject({
    realmId: "1",
    authError: null,
    company: acme,
    companies: [acme, beta],
    userName: "Olive Owner",
    email: "olive@acme.example",
    groups: ["app"],
    isCompanyAdmin: true,
  });
});

test("AU-03 an error goes back through loading on retry", async () => {
  server.on("GET /api/v1/user", problem(403, "Locked."));
  const session = drawSession();
  await waitFor(() => expect(session.now().authError?.message).toBe("Locked."));
  server.on("GET /api/v1/user", { json: owner() });
  act(() => session.now().retry());
  await waitFor(() => expect(session.now().authStatus).toBe("success"));
  expect(session.statuses()).toEqual(["loading", "error", "success"]);
});

test.each([
  { status: 429, reports: 0 },
  { status: 503, reports: 1 },
])(
  "AU-03 RP-04 a refetch of the user answered with $status is reported $reports times and leaves the page as it is, and the next one counts again",
  async ({ status, reports }) => {
    server.on("GET /api/v1/user", { json: owner() });
    const session = drawSession();
    await waitFor(() => expect(session.now().authStatus).toBe("success"));
    server.on("GET /api/v1/user", problem(status, "Not now."));
    await act(() => session.queries.refetchQueries({ queryKey: queryKeys.user }));
    await waitFor(() => expect(session.reported).toHaveLength(reports));
    server.on("GET /api/v1/user", { json: owner({ last_name: "Married" }) });
    await act(() => session.queries.refetchQueries({ queryKey: queryKeys.user }));
    await waitFor(() => expect(session.now().userName).toBe("Olive Married"));
    expect(session.statuses()).toEqual(["loading", "success"]);
  },
);

test("AU-09 AU-10 the user is identified once, again after a new name, and cleared when the session ends", async () => {
  server.on("GET /api/v1/user", { json: owner() });
  const session = drawSession();
  const olive = { username: "olive", name: "Olive Owner", email: "olive@acme.example" };
  await waitFor(() => expect(session.identified).toEqual([olive]));
  server.on("GET /api/v1/user", { json: owner({ groups: [] }) });
  await act(() => session.queries.refetchQueries({ queryKey: queryKeys.user }));
  await waitFor(() => expect(session.now().groups).toEqual([]));
  expect(session.identified).toEqual([olive]);
  server.on("GET /api/v1/user", { json: owner({ last_name: "Married" }) });
  await act(() => session.queries.refetchQueries({ queryKey: queryKeys.user }));
  await waitFor(() => expect(session.identified).toEqual([olive, { ...olive, name: "Olive Married" }]));
  server.on("GET /api/v1/user", problem(401, "Sign in."));
  await act(() => session.queries.refetchQueries({ queryKey: queryKeys.user }));
  await waitFor(() => expect(session.identified.at(-1)).toBeNull());
  await waitFor(() => expect(session.now().authStatus).toBe("error"));
  expect(session.now()).toMatchObject({ company: null, email: "", groups: [] });
});

test("CO-04 an unknown id is ignored", async () => {
  server.on("GET /api/v1/user", { json: owner() });
  const session = drawSession();
  await waitFor(() => expect(session.now().company).toEqual(acme));
  act(() => session.now().switchCompany("77"));
  expect([session.now().company, window.localStorage.getItem("realmId")]).toEqual([acme, "1"]);
});

test("CO-05 after a removal the first remaining company becomes current, whatever the position of the removed one", async () => {
  const gamma = { id: "3", name: "Gamma Goods", admin: null, time_zone: acme.time_zone };
  for (const [removed, current] of [
    ["2", acme],
    ["3", acme],
    ["1", beta],
  ] as const) {
    cleanup();
    window.localStorage.setItem("realmId", removed);
    realmStore.set(removed);
    server.on("GET /api/v1/user", { json: owner({ companies: [acme, beta, gamma] }) });
    const session = drawSession();
    await waitFor(() => expect(session.now().company?.id).toBe(removed));
    act(() => session.now().removeCompany(removed));
    await waitFor(() => expect(session.now().company).toEqual(current));
    expect(window.localStorage.getItem("realmId")).toBe(current.id);
    expect(session.now().companies).toHaveLength(2);
  }
});

test("CO-05 CO-06 removing the current company makes the first remaining current, and then none", async () => {
  server.on("GET /api/v1/user", { json: owner() });
  const session = drawSession();
  await waitFor(() => expect(session.now().company).toEqual(acme));
  act(() => session.now().removeCompany("1"));
  await waitFor(() => expect(session.now().company).toEqual(beta));
  expect(window.localStorage.getItem("realmId")).toBe("2");
  act(() => session.now().removeCompany("2"));
  await waitFor(() => expect(session.now().company).toBeNull());
  expect(window.localStorage.getItem("realmId")).toBeNull();
});

test("CO-11 a server that fails to store the switch does not undo it", async () => {
  server.on("GET /api/v1/user", { json: owner() });
  server.on("POST /api/v1/user/company", problem(500, "Not now."));
  const session = drawSession();
  await waitFor(() => expect(session.now().company).toEqual(acme));
  act(() => session.now().switchCompany("2"));
  await waitFor(() => expect(server.requests.some(({ method }) => method === "POST")).toBe(true));
  expect(session.now().company).toEqual(beta);
  expect(session.reported).toEqual([]);
});

/** The page that the server renders for a user with two companies, naming one; Acme is their first. */
function servePage(company: typeof acme) {
  const data = { ...owner(), companies: [company], company_count: 2, company_is_first: company === acme };
  const script = document.createElement("script");
  Object.assign(script, { type: "application/json", id: "user", textContent: JSON.stringify(data) });
  document.getElementById("user")?.remove();
  // Nothing else of the head goes with it: styles of other tests are there.
  document.head.append(script);
  onTestFinished(() => script.remove());
}

test("CO-07 the page starts with the company it was served with and loads the others", async () => {
  window.localStorage.setItem("realmId", "2");
  realmStore.set("2");
  servePage(beta);
  server.on("GET /api/v1/user", { json: owner() });
  const session = drawSession();
  expect(session.now()).toMatchObject({
    authStatus: "success",
    company: beta,
    companies: [beta],
    companyCount: 2,
  });
  await waitFor(() => expect(session.now().companies).toEqual([acme, beta]));
  expect(session.now()).toMatchObject({ company: beta, companyCount: 2 });
  expect(session.statuses()).toEqual(["success"]);
});

test("CO-07 CO-08 a page served with another company than this browser stored waits for the list", async () => {
  realmStore.set("2");
  servePage(acme);
  server.on("GET /api/v1/user", { json: owner() });
  const session = drawSession();
  expect(session.now()).toMatchObject({ authStatus: "loading", company: null });
  await waitFor(() => expect(session.now().company).toEqual(beta));
  expect(window.localStorage.getItem("realmId")).toBe("2");
});

test("CO-08 PF-03 without a stored company the page starts at once with the first, but waits for the list when it was served with another", async () => {
  server.on("GET /api/v1/user", { json: owner() });
  servePage(acme);
  const first = drawSession();
  expect(first.now()).toMatchObject({ authStatus: "success", company: acme });
  await waitFor(() => expect(first.now().companies).toEqual([acme, beta]));
  expect(first.statuses()).toEqual(["success"]);

  cleanup();
  window.localStorage.clear();
  realmStore.set(null);
  servePage(beta);
  const other = drawSession();
  expect(other.now()).toMatchObject({ authStatus: "loading", company: null });
  await waitFor(() => expect(other.now().company).toEqual(acme));
  expect(window.localStorage.getItem("realmId")).toBe("1");
});
