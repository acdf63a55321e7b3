import {
  acme,
  beta,
  owner,
  problem,
  renderApp,
  renderPage,
  startServer,
  userEvent,
} from "#web/test-support.tsx";
import { boot } from "#web/kit/boot.ts";
import { cleanup, screen, waitFor, within } from "@testing-library/react";
import { expect, onTestFinished, test, vi } from "vitest";

const server = await startServer();

async function open(path = "/settings/", user: object = {}, render = renderPage) {
  server.on("GET /api/v1/user", { json: owner(user) });
  server.visit(path);
  render();
  await screen.findByRole("heading", { level: 1 });
}

test("SE-01 SE-02 SE-03 the companies are a radio list with the current one checked", async () => {
  await open();
  expect(screen.getByRole("heading", { level: 1, name: "Dockside App Settings" })).toBeTruthy();
  expect(await screen.findByRole("heading", { level: 2, name: "Connected Companies" })).toBeTruthy();
  const radios = screen.getAllByRole<HTMLInputElement>("radio");
  expect(radios.map((radio) => [radio.closest("label")?.textContent, radio.checked])).toEqual([
    ["Acme ToolsCompany admin: you", true],
    ["Beta SupplyCompany admin: bob@beta.example", false],
  ]);
});

test("SE-04 SE-08 SE-09 choosing another company makes it current, and the Disconnect button names it", async () => {
  await open("/settings/", { companies: [acme, { ...beta, admin: acme.admin }] });
  const name = /^Disconnect /;
  expect((await screen.findByRole("link", { name })).textContent).toBe("Disconnect Acme Tools");
  await userEvent.click(screen.getByRole("radio", { name: "Beta Supply" }));
  const disconnect = screen.getByRole("link", { name });
  expect([disconnect.textContent, disconnect.getAttribute("href")]).toEqual([
    "Disconnect Beta Supply",
    "/disconnect/?realm_id=2",
  ]);
  expect(window.localStorage.getItem("realmId")).toBe("2");
});

test("SE-12 SE-13 SE-27 RL-05 only the company admin sees Disconnect and Current Services", async () => {
  const companies = [
    { ...acme, services: [], connection: "connected" },
    { ...beta, services: [], connection: "connected" },
  ];
  server.on("GET /api/v1/company", { json: { companies } });
  await open();
  expect(await screen.findByRole("heading", { level: 3, name: "Current Services" })).toBeTruthy();
  expect(screen.getByRole("link", { name: "Disconnect Acme Tools" })).toBeTruthy();
  await userEvent.click(screen.getByRole("radio", { name: "Beta Supply" }));
  expect(screen.queryByRole("heading", { name: /^Current Services/ })).toBeNull();
  expect(screen.queryByRole("link", { name: /^Disconnect/ })).toBeNull();
});

test("SE-09 the disconnect page uses the company in its address, else the current one", async () => {
  const disconnected: string[] = [];
  server.on("POST /api/v1/company/disconnect", ({ url }) => {
    disconnected.push(url.searchParams.get("realm_id") ?? "");
    return { json: { disconnected_at: "2027-03-03T15:42:00.000Z", waiting_uploads: 0 } };
  });
  window.localStorage.setItem("realmId", "1");
  await openAsAdminOfBoth("/disconnect/?realm_id=2", renderApp);
  expect(screen.queryByRole("button", { name: "Disconnect Acme Tools" })).toBeNull();
  await userEvent.click(await screen.findByRole("button", { name: "Disconnect Beta Supply" }));
  await screen.findByRole("heading", { level: 1, name: "Beta Supply is disconnected" });
  expect(disconnected).toEqual(["2"]);
  expect(screen.queryByRole("combobox", { name: "Company" })).toBeNull();
  expect(window.localStorage.getItem("realmId")).toBe("1");
  cleanup();
  await openAsAdminOfBoth("/disconnect/");
  await userEvent.click(await screen.findByRole("button", { name: "Disconnect Acme Tools" }));
  await screen.findByRole("heading", { level: 1, name: "Acme Tools is disconnected" });
  expect(disconnected).toEqual(["2", "1"]);
});

async function openAsAdminOfBoth(path: string, render = renderPage) {
  const companies = [acme, { ...beta, admin: acme.admin }];
  server.on("GET /api/v1/user", { json: owner({ companies }) });
  server.visit(path);
  render();
  await screen.findByRole("heading", { level: 1, name: /^Disconnect / });
}

test("SE-05 SE-06 SE-07 GA-01 Add New Company reveals the Connect button and hides it again", async () => {
  await open();
  const add = await screen.findByRole("button", { name: "Add New Company", expanded: false });
  expect(screen.queryByRole("link", { name: "Connect to QuickBooks" })).toBeNull();
  await userEvent.click(add);
  expect(screen.getByRole("link", { name: "Connect to QuickBooks" }).getAttribute("href")).toBe("/get-app/");
  expect(add.getAttribute("aria-expanded")).toBe("true");
  await userEvent.click(add);
  expect(screen.queryByRole("link", { name: "Connect to QuickBooks" })).toBeNull();
});

test("a connection that Intuit no longer accepts is shown on Settings too, for the current company only", async () => {
  const companies = [
    { ...acme, services: [], connection: "reconnect_needed" },
    { ...beta, services: [], connection: "connected" },
  ];
  server.on("GET /api/v1/company", { json: { companies } });
  await open();
  expect(
    await screen.findByText(
      "QuickBooks no longer accepts our connection to Acme Tools. Nothing is posted or updated until an admin of the company in QuickBooks reconnects it.",
    ),
  ).toBeTruthy();
  await userEvent.click(screen.getByRole("radio", { name: "Beta Supply" }));
  expect(screen.queryByText(/^QuickBooks no longer accepts/)).toBeNull();
});

test("a connection that Intuit ends within 30 days shows the date to reconnect by, beside its company and above the list", async () => {
  const companies = [
    { ...acme, services: [], connection: "connected", reconnect_by: "2026-12-22T12:00:00.000Z" },
    { ...beta, services: [], connection: "connected" },
  ];
  server.on("GET /api/v1/company", { json: { companies } });
  await open();
  expect(await screen.findAllByText("Reconnect by Dec 22, 2026")).toHaveLength(2);
  expect(
    screen.getByText(/^Intuit requires you to reconnect every few years, and Acme Tools is due\./),
  ).toBeTruthy();
  expect(screen.getByRole("link", { name: "Reconnect" }).getAttribute("href")).toBe("/get-app/");
  await userEvent.click(screen.getByRole("radio", { name: "Beta Supply" }));
  expect(screen.getAllByText("Reconnect by Dec 22, 2026")).toHaveLength(1);
});

test("SE-24 ten of a thousand companies are listed including the current one, more on request, and any is found by name", async () => {
  const companies = Array.from({ length: 1_000 }, (_, n) => ({
    id: `${n}`,
    name: `Client ${String(n).padStart(4, "0")}`,
    admin: acme.admin,
    time_zone: acme.time_zone,
  }));
  server.on("GET /api/v1/company", { json: { companies: [] } });
  await open("/settings/", { companies });
  const names = () => screen.getAllByRole("radio").map((radio) => radio.getAttribute("aria-label"));
  await waitFor(() => expect(names()).toHaveLength(10));
  const find = screen.getByRole("searchbox", { name: "Find a company" });
  await userEvent.type(find, "099");
  expect(names()).toHaveLength(11);
  await userEvent.clear(find);
  expect(names()).toHaveLength(10);
  await userEvent.click(screen.getByRole("button", { name: "Show more (990 left)" }));
  expect(names()).toHaveLength(35);
  await userEvent.type(find, "0777");
  expect(names()).toEqual(["Client 0777"]);
  await userEvent.click(screen.getByRole("radio", { name: "Client 0777" }));
  await userEvent.clear(find);
  expect(names()).toHaveLength(35);
  expect(screen.getByRole<HTMLInputElement>("radio", { name: "Client 0777" }).checked).toBe(true);
});

test("SE-24 a search appears from eight companies on", async () => {
  const companies = Array.from({ length: 8 }, (_, n) => ({
    ...acme,
    id: `${n}`,
    name: `Client ${n}`,
    admin: null,
  }));
  server.on("GET /api/v1/company", { json: { companies: [] } });
  await open("/settings/", { companies: companies.slice(1) });
  expect(await screen.findAllByRole("radio")).toHaveLength(7);
  expect(screen.queryByRole("searchbox")).toBeNull();
  cleanup();
  await open("/settings/", { companies });
  await userEvent.type(await screen.findByRole("searchbox", { name: "Find a company" }), "7");
  expect(screen.getAllByRole("radio").map((radio) => radio.getAttribute("aria-label"))).toEqual(["Client 7"]);
});

test("a member who isn't the admin reads which services are on, and who can turn one on", async () => {
  const member = { json: { companies: [{ ...acme, services: [], connection: "connected" }] } };
  server.on("GET /api/v1/company", member);
  await open("/settings/", { companies: [acme], email: "carl@acme.example" });
  const services = within(await screen.findByRole("region", { name: "Services" }));
  expect(services.getByText("Tracking Service is coming soon.")).toBeTruthy();
  cleanup();
  Object.assign(boot, { sellsTracking: true });
  onTestFinished(() => void Object.assign(boot, { sellsTracking: false }));
  await open("/settings/", { companies: [acme], email: "carl@acme.example" });
  expect(
    await screen.findByText(
      "Tracking Service is off. olive@acme.example, the company admin, can turn it on.",
    ),
  ).toBeTruthy();
});

test("SE-10 SE-11 without companies the Connect button is visible and Disconnect is absent", async () => {
  await open("/settings/", { companies: [] });
  expect(await screen.findByText("You have no companies connected.")).toBeTruthy();
  const companies = within(screen.getByRole("region", { name: "Connected Companies" }));
  expect(companies.getAllByRole("link").map((link) => link.textContent)).toEqual(["Connect to QuickBooks"]);
});

test("GA-02 SE-27 a newly connected company becomes current and is announced, with the next step on the upload page", async () => {
  server.on("GET /api/v1/invoices", { json: { uploads: [], total_count: 0, in_process: false } });
  await open("/app/?connected=2", {}, renderApp);
  expect(await screen.findByText("You can upload invoices now.")).toBeTruthy();
  cleanup();
  window.localStorage.clear();
  await open("/settings/?connected=2", {}, renderApp);
  await waitFor(() => expect(screen.getAllByText("Beta Supply is connected.").length).toBe(2));
  expect(screen.getByRole<HTMLInputElement>("radio", { name: "Beta Supply" }).checked).toBe(true);
  await userEvent.click(screen.getByRole("radio", { name: "Acme Tools" }));
  expect(screen.getByRole<HTMLInputElement>("radio", { name: "Acme Tools" }).checked).toBe(true);
  // Otherwise a reload would make it current again.
  expect([window.location.pathname, window.location.search]).toEqual(["/settings/", ""]);
});

test("GA-01 GA-02 the connect page explains the access and leads to Intuit; guests may read it", async () => {
  server.on("GET /api/v1/user", problem(401, "Sign in."));
  server.visit("/get-app/");
  renderPage();
  expect(await screen.findByRole("heading", { level: 1, name: "Connect a company" })).toBeTruthy();
  expect(
    screen.getByText(
      "It will never move money or touch payroll. It deletes invoices only if you undo an upload.",
    ),
  ).toBeTruthy();
  expect(screen.getByRole("link", { name: "Connect to QuickBooks" }).getAttribute("href")).toBe(
    "/get-app/connect",
  );
});

test("GA-02 the connect page keeps the page that linked to it, also after returning from Intuit", async () => {
  const referrer = vi.spyOn(document, "referrer", "get");
  onTestFinished(() => referrer.mockRestore());
  const link = () => screen.getByRole("link", { name: "Connect to QuickBooks" }).getAttribute("href");
  const settings = "/get-app/connect?next=%2Fsettings%2F%3Fsection%3Dusers";
  for (const [page, from, to] of [
    ["/get-app/", `${window.location.origin}/settings/?section=users`, settings],
    ["/get-app/", "https://appcenter.intuit.com/app/", "/get-app/connect"],
    [
      "/get-app/?error=refused&next=%2Fsettings%2F%3Fsection%3Dusers",
      `${window.location.origin}/app/`,
      settings,
    ],
  ] as const) {
    referrer.mockReturnValue(from);
    await open(page);
    expect(link(), from).toBe(to);
    cleanup();
  }
});

test("GA-03 a company connected by another user is shown with its admin to ask", async () => {
  server.on("GET /api/v1/company/refusal", ({ url }) =>
    url.searchParams.get("refusal") === "v1.sealed"
      ? { json: { company: "Acme Tools", admin: "olive@acme.example" } }
      : problem(404, "Nothing is known of this refusal."),
  );
  await open("/get-app/?error=already_connected&refusal=v1.sealed");
  expect(
    await screen.findByText("Acme Tools is already connected. Ask olive@acme.example to add you."),
  ).toBeTruthy();
});

test("GA-03 text from an address is never shown as ours", async () => {
  await open(
    "/get-app/?error=already_connected&company=Your%20bank&admin=mallory%40evil.example&refusal=made-up",
  );
  expect(
    await screen.findByText("This company is already connected. Ask its admin to add you."),
  ).toBeTruthy();
  expect(screen.getByRole("main").textContent).not.toMatch(/bank|mallory/);
});

test.each([
  ["still connected", "connected", "Disconnect Acme Tools?"],
  ["no longer accepted", "reconnect_needed", "Acme Tools is disconnected"],
])(
  "DC-02 a user sent by QuickBooks about a company that is %s here sees its true state",
  async (_how, connection, heading) => {
    const asked: (string | null)[] = [];
    server.on("GET /api/v1/company/connection", ({ url }) => {
      asked.push(url.searchParams.get("realm_id"));
      return { json: { connection } };
    });
    await open("/disconnect/?realmId=1");
    expect(await screen.findByRole("heading", { level: 1, name: heading })).toBeTruthy();
    const isAsked = screen.queryByRole("button", { name: "Disconnect Acme Tools" }) !== null;
    const isShown = screen.queryByText(/We no longer have access/) !== null;
    expect([isAsked, isShown]).toEqual(connection === "connected" ? [true, false] : [false, true]);
    expect(asked).toEqual(["1"]);
  },
);

test("DC-02 a user sent by QuickBooks while it does not answer is informed, and then sees the true state", async () => {
  let connection = "unknown";
  server.on("GET /api/v1/company/connection", () => ({ json: { connection } }));
  await open("/disconnect/?realmId=1");
  expect(await screen.findByText(/^QuickBooks isn't responding, so we can't tell yet/)).toBeTruthy();
  expect(screen.getByRole("button", { name: "Disconnect Acme Tools" })).toBeTruthy();
  connection = "reconnect_needed";
  expect(await screen.findByText(/We no longer have access/, {}, { timeout: 20_000 })).toBeTruthy();
});

test("DC-02 a user sent by QuickBooks about another user's company sees nothing about it", async () => {
  await open("/disconnect/?realmId=77");
  expect(await screen.findByRole("heading", { level: 1, name: "Disconnected in QuickBooks?" })).toBeTruthy();
  expect(screen.getByText(/^You aren't a user of this company, or it's already disconnected/)).toBeTruthy();
  expect(screen.getByRole("main").textContent).not.toMatch(/is disconnected$|We no longer have access/);
});

test("DC-02 a guest sent by QuickBooks sees nothing about any company and can sign in", async () => {
  server.on("GET /api/v1/user", problem(401, "Sign in."));
  server.visit("/disconnect/?realmId=1");
  renderPage();
  const main = within(screen.getByRole("main"));
  expect(await main.findByText(/^QuickBooks sends you here after you disconnect/)).toBeTruthy();
  expect(main.getByRole("heading", { level: 1 }).textContent).toBe("Disconnected in QuickBooks?");
  expect(main.getByRole("link", { name: "Sign in with Intuit" }).getAttribute("href")).toBe(
    "/login/?next=%2Fdisconnect%2F%3FrealmId%3D1",
  );
  expect(main.queryByText(/is disconnected|We no longer have access/)).toBeNull();
});

test("AY-02 a session that ends moves the focus to the heading", async () => {
  server.on("POST /api/v1/company/disconnect", problem(401, "Sign in."));
  await open("/disconnect/");
  await userEvent.click(await screen.findByRole("button", { name: "Disconnect Acme Tools" }));
  await within(screen.getByRole("main")).findByText(/^You must sign in with Intuit/);
  await waitFor(() => expect(document.activeElement?.tagName).toBe("H1"));
});

test("AY-02 loading a page does not move the focus", async () => {
  await open("/disconnect/");
  await screen.findByRole("button", { name: "Disconnect Acme Tools" });
  expect(document.activeElement).toBe(document.body);
});

test.each([
  [0, null],
  [1, "1 unfinished upload waits until you reconnect."],
  [1200, "1,200 unfinished uploads wait until you reconnect."],
])(
  "DC-02 AY-02 after disconnecting, %i waiting uploads are counted and the focus is on the heading",
  async (count, sentence) => {
    server.on("POST /api/v1/company/disconnect", {
      json: { disconnected_at: "2027-03-03T10:00:00Z", waiting_uploads: count },
    });
    await open("/disconnect/");
    await userEvent.click(await screen.findByRole("button", { name: "Disconnect Acme Tools" }));
    const heading = await screen.findByRole("heading", { level: 1, name: "Acme Tools is disconnected" });
    if (sentence === null) expect(screen.queryByText(/unfinished/)).toBeNull();
    else expect(screen.getByText(sentence)).toBeTruthy();
    await waitFor(() => expect(document.activeElement).toBe(heading));
  },
);

test("a refused connection shows a sentence, also for an unknown reason", async () => {
  await open("/get-app/?error=refused");
  expect(screen.getByText("You didn't allow access in QuickBooks, so nothing was connected.")).toBeTruthy();
});
