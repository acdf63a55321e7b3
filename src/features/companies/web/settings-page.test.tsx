import { acme, beta, owner, problem, renderApp, startServer } from "#web/test-support.tsx";
import { screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { expect, test } from "vitest";

const server = await startServer();

async function open(path = "/settings/", user: object = {}) {
  server.on("GET /api/v1/user", { json: owner(user) });
  server.visit(path);
  renderApp();
  await screen.findByRole("heading", { level: 1 });
}

test("SE-01 SE-02 SE-03 the companies stand in a radio list with the current one checked", async () => {
  await open();
  expect(screen.getByRole("heading", { level: 1, name: "Dockside App Settings" })).toBeTruthy();
  expect(await screen.findByRole("heading", { level: 2, name: "Connected Companies" })).toBeTruthy();
  const radios = screen.getAllByRole<HTMLInputElement>("radio");
  expect(radios.map((radio) => [radio.closest("label")?.textContent, radio.checked])).toEqual([
    ["Acme Tools", true],
    ["Beta Supply", false],
  ]);
});

test("SE-04 SE-08 SE-09 choosing another makes it current, and Disconnect names it", async () => {
  await open();
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

test("SE-05 SE-06 SE-07 Add New Company reveals the Connect button and hides it again", async () => {
  await open();
  const add = await screen.findByRole("button", { name: "Add New Company", expanded: false });
  expect(screen.queryByRole("link", { name: "Connect to QuickBooks" })).toBeNull();
  await userEvent.click(add);
  expect(screen.getByRole("link", { name: "Connect to QuickBooks" }).getAttribute("href")).toBe("/get-app/");
  expect(add.getAttribute("aria-expanded")).toBe("true");
  await userEvent.click(add);
  expect(screen.queryByRole("link", { name: "Connect to QuickBooks" })).toBeNull();
});

test("a connection that Intuit no longer accepts is told on Settings too, for the current company only", async () => {
  const companies = [
    { ...acme, services: [], connection: "reconnect_needed" },
    { ...beta, services: [], connection: "connected" },
  ];
  server.on("GET /api/v1/company", { json: { companies } });
  await open();
  expect(
    await screen.findByText(/^QuickBooks no longer accepts our connection to Acme Tools\./),
  ).toBeTruthy();
  await userEvent.click(screen.getByRole("radio", { name: "Beta Supply" }));
  expect(screen.queryByText(/^QuickBooks no longer accepts/)).toBeNull();
});

test("SE-10 SE-11 without companies Connect is there at once and nothing can be disconnected", async () => {
  await open("/settings/", { companies: [] });
  expect(await screen.findByText("You have no companies connected.")).toBeTruthy();
  const main = within(screen.getByRole("main"));
  expect(main.getAllByRole("link").map((link) => link.textContent)).toEqual(["Connect to QuickBooks"]);
});

test("GA-02 a company that was just connected is current and said to be", async () => {
  await open("/settings/?connected=2");
  await waitFor(() => expect(screen.getAllByText("Beta Supply is connected.").length).toBe(2));
  expect(screen.getByRole<HTMLInputElement>("radio", { name: "Beta Supply" }).checked).toBe(true);
  await userEvent.click(screen.getByRole("radio", { name: "Acme Tools" }));
  expect(screen.getByRole<HTMLInputElement>("radio", { name: "Acme Tools" }).checked).toBe(true);
});

test("GA-01 GA-02 the connect page explains the access and leads to Intuit; guests may read it", async () => {
  server.on("GET /api/v1/user", problem(401, "Sign in."));
  server.visit("/get-app/");
  renderApp();
  expect(await screen.findByRole("heading", { level: 1, name: "Connect a company" })).toBeTruthy();
  expect(
    screen.getByText(
      "It will never: move money, change payroll, delete invoices unless you undo their upload.",
    ),
  ).toBeTruthy();
  expect(screen.getByRole("link", { name: "Connect to QuickBooks" }).getAttribute("href")).toBe(
    "/get-app/connect",
  );
});

test("GA-03 a company that someone else connected is told with whom to ask", async () => {
  await open("/get-app/?error=already_connected&company=Acme%20Tools&admin=olive%40acme.example");
  expect(
    screen.getByText("Acme Tools is already connected. Ask olive@acme.example to add you."),
  ).toBeTruthy();
});

test("a refused connection comes back with a sentence, and an unknown reason too", async () => {
  await open("/get-app/?error=refused");
  expect(screen.getByText("QuickBooks told us that access was refused. Nothing was connected.")).toBeTruthy();
});
