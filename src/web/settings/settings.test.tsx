import { acme, owner, renderPage, settingsOfAcme, startServer, userEvent } from "#web/test-support.tsx";
import { cleanup, screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";

const server = await startServer();

const settings = { ...settingsOfAcme, ups_account: "1A2A11", ups_state: "connected" };
const company = {
  ...acme,
  services: ["tracking"],
  connection: "connected",
  paid_services: ["tracking"],
  authorized_users: [acme.admin],
  invited_users: [],
  settings,
};
const folder = {
  kind: "sftp",
  host: "sftp.example.com",
  port: 22,
  user: "acme",
  auth: "password",
  host_key: `SHA256:${"k".repeat(43)}`,
  folder_in: "in",
  folder_out: "out",
  state: "stopped",
  problem: "The server refuses the password.",
  polled_at: null,
};

async function open(path: string, more: object = {}) {
  server.on("GET /api/v1/user", { json: owner() });
  server.on("GET /api/v1/company", { json: { companies: [{ ...company, ...more }] } });
  server.on("GET /api/v1/company/api-keys", { json: { keys: [] } });
  server.on("GET /api/v1/company/webhooks", { json: { webhooks: [], messages: [] } });
  server.on("GET /api/v1/company/order-folder", { json: { folder, can_be_local: false } });
  server.on("GET /api/v1/company/differences", { json: { differences: [] } });
  server.on("GET /api/v1/company/exports", { json: { exports: [] } });
  server.on("GET /api/v1/company/storage", { json: { storage: [] } });
  server.on("GET /api/v1/company/trail", { json: { entries: [], next: null } });
  server.on("GET /api/v1/company/support", { json: { grants: [] } });
  server.visit(path);
  renderPage();
  await screen.findByRole("heading", { level: 1, name: "Dockside App Settings" });
}

/** The rows of the page: name, one line, and state. */
const rows = () =>
  [...document.querySelectorAll("[data-state]")].map((state) =>
    [state.parentElement?.querySelector("h3")?.textContent, state.textContent].join(": "),
  );

test("SR-05 Settings has three addresses, and Company is only the companies and the specified sections", async () => {
  await open("/settings/");
  const pages = within(await screen.findByRole("navigation", { name: "Settings" }));
  expect(pages.getAllByRole("link").map((link) => [link.textContent, link.getAttribute("href")])).toEqual([
    ["Company", "/settings/"],
    ["Developers", "/settings/developers/"],
    ["Data & security", "/settings/data/"],
  ]);
  const headings = async () =>
    (await screen.findAllByRole("heading")).map(({ textContent }) =>
      textContent?.replace("(click", " (click"),
    );
  await waitFor(async () =>
    expect(await headings()).toEqual([
      "Dockside App Settings",
      "Connected Companies",
      "Current Services",
      "Users (click to expand)",
      "Tracking Service (click to expand)",
    ]),
  );
  expect(rows()).toEqual([]);
  await userEvent.click(pages.getByRole("link", { name: "Developers" }));
  await waitFor(() =>
    expect(rows()).toEqual([
      "API keys: None yet",
      "Webhooks: None yet",
      "Order folder: Stopped",
      "API reference: Version 1",
    ]),
  );
  expect(document.title).toBe("Developers · App Settings · Dockside");
  expect(screen.getByRole("link", { name: "Developers" }).getAttribute("aria-current")).toBe("page");
  await userEvent.click(screen.getByRole("link", { name: "Data & security" }));
  await waitFor(() =>
    expect(rows()).toEqual([
      "Connection health: 1 needs attention",
      "Differences: None",
      "Export: None yet",
      "Storage: 0 bytes",
      "Audit trail: No entries yet",
      "Signed-in devices: 0 devices",
      "Support access: None",
    ]),
  );
});

test("SR-05 each row has an address that opens it, and opening and closing one changes the address", async () => {
  await open("/settings/data/?section=health");
  const list = await screen.findByRole("list", { name: "Connections" });
  expect(
    within(list)
      .getAllByRole("listitem")
      .map((line) =>
        [...line.children].map(({ textContent }) => textContent?.replaceAll("\u00A0", " ")).join(" | "),
      ),
  ).toEqual([
    "QuickBooks | Connected |  | Disconnect",
    "UPS | Connected | Account ending 2A11 | Disconnect the UPS account",
    "Stripe | Paid | 1 paid service | ",
    "Order folder | Needs attention | The server refuses the password. Open its settings | ",
  ]);
  const link = within(list).getByRole("link", { name: "Open its settings" });
  expect(link.getAttribute("href")).toBe("/settings/developers/?section=folder");
  await userEvent.click(screen.getByRole("button", { name: "Support access" }));
  expect(await screen.findByText("Support has no access to your files.")).toBeTruthy();
  expect(window.location.search).toBe("?section=support");
  await userEvent.click(screen.getByRole("button", { name: "Support access" }));
  expect([window.location.search, screen.queryByText("Support has no access to your files.")]).toEqual([
    "",
    null,
  ]);
  expect(screen.getByRole("list", { name: "Connections" })).toBe(list);
});

test.each([
  [acme.admin, "Connected by you, Nov 3, 2024 · last used Nov 28, 2024, 10:21 AM GMT-3:30"],
  [
    "carl@acme.example",
    "Connected by carl@acme.example, Nov 3, 2024 · last used Nov 28, 2024, 10:21 AM GMT-3:30",
  ],
  [null, "Connected Nov 3, 2024 · last used Nov 28, 2024, 10:21 AM GMT-3:30"],
])(
  "TR-26 with the Tracking Service or without, the page says that %s connected the UPS account, and when it was last used",
  async (by, text) => {
    const [at, used] = ["2024-11-03T15:00:00.000", "2024-11-28T10:21:00.000"].map((local) =>
      new Date(local).toISOString(),
    );
    const ups_connection = { by, at, used_at: used };
    const shown = async () => (await screen.findByText(/· last used/)).textContent?.replaceAll("\u202f", " ");
    await open("/settings/", { services: [], paid_services: [], ups_connection });
    expect(await shown()).toBe(text);
    cleanup();
    await open("/settings/?section=tracking", { ups_connection });
    expect(await shown()).toBe(text);
  },
);

test("SR-05 TR-26 without the Tracking Service a linked UPS account is shown below the sections, and can be disconnected", async () => {
  await open("/settings/", { services: [], paid_services: [] });
  const account = within(await screen.findByRole("region", { name: "UPS account" }));
  expect(account.getByText("Account ending 2A11")).toBeTruthy();
  expect(account.getByText("Works without Tracking Service")).toBeTruthy();
  expect(account.queryByText(/^Connected by/)).toBeNull();
  expect(screen.queryByRole("heading", { name: /^Tracking Service/ })).toBeNull();
  const asked: string[] = [];
  server.on("DELETE /api/v1/company/connect-ups", ({ url }) => {
    asked.push(url.searchParams.get("ups_account") ?? "");
    const none = { ...settings, ups_account: "", ups_state: "none" };
    server.on("GET /api/v1/company", {
      json: { companies: [{ ...company, services: [], paid_services: [], settings: none }] },
    });
    return { json: {} };
  });
  await userEvent.click(account.getByRole("button", { name: "Disconnect" }));
  await waitFor(() => expect(screen.queryByRole("region", { name: "UPS account" })).toBeNull());
  expect([asked, document.activeElement?.tagName]).toEqual([["1A2A11"], "H1"]);
});

test("a connected UPS account is announced in its company only, and no longer once it is disconnected", async () => {
  const admin = { ...acme, id: "2", name: "Beta Supply" };
  const answer = (of: object) => ({
    json: {
      companies: [
        { ...company, ...of },
        { ...company, ...admin, settings: settingsOfAcme },
      ],
    },
  });
  const LINK = "/api/v1/company/connect-ups";
  server.on(`POST ${LINK}`, { json: { realm_id: acme.id, ups_account: "1A2A11" } });
  server.on(`DELETE ${LINK}`, {});
  server.on("GET /api/v1/user", { json: owner({ companies: [acme, admin] }) });
  server.on("GET /api/v1/company", answer({}));
  server.visit("/ups-callback?code=c&state=s");
  renderPage();
  const notice = () => screen.queryByText("UPS account connected.");
  await waitFor(() => expect(notice()).toBeTruthy());
  await userEvent.click(screen.getByRole("radio", { name: "Beta Supply" }));
  await screen.findByText("Not connected");
  expect(notice()).toBeNull();
  await userEvent.click(screen.getByRole("radio", { name: "Acme Tools" }));
  await waitFor(() => expect(notice()).toBeTruthy());
  server.on("GET /api/v1/company", answer({ settings: settingsOfAcme }));
  await userEvent.click(screen.getByRole("button", { name: "Disconnect" }));
  await screen.findByText("Not connected");
  expect(notice()).toBeNull();
});
