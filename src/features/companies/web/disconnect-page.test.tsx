import { acme, owner, problem, renderPage, startServer } from "#web/test-support.tsx";
import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";

const server = await startServer();

test("DC-02 the form lists what stops, stays, and is still charged, with the end of the subscription preselected", async () => {
  const paying = { ...acme, services: ["tracking"], connection: "connected", paid_services: ["tracking"] };
  server.on("GET /api/v1/company", { json: { companies: [paying] } });
  server.on("GET /api/v1/user", { json: owner() });
  server.visit("/disconnect/");
  renderPage();
  const choices = await screen.findAllByRole<HTMLInputElement>("radio");
  const main = within(screen.getByRole("main"));
  const points = (title: string) =>
    within(main.getByRole("heading", { name: title }).nextElementSibling as HTMLElement)
      .getAllByRole("listitem")
      .map(({ textContent }) => textContent);
  expect(points("What stops")).toEqual([
    "Invoice upload: unfinished uploads wait until you reconnect.",
    "Tracking updates and proof-of-delivery attachment.",
    "Our access to the company's books, which ends at Intuit right away.",
  ]);
  expect(points("What stays")).toEqual([
    "Everything in QuickBooks, including the invoices posted so far.",
    "Your upload history. It's back as soon as you reconnect.",
  ]);
  expect(choices.map((choice) => [choice.closest("label")?.textContent, choice.checked])).toEqual([
    ["Cancel it at the end of the paid period. Nothing more is charged.", true],
    ["Keep it. It still renews, but you can't use it until you reconnect.", false],
  ]);
});

test("a guest sent by QuickBooks after disconnecting sees how to reconnect", async () => {
  server.on("GET /api/v1/user", problem(401, "Sign in."));
  server.visit("/disconnect/?realmId=9130357849010001");
  renderPage();
  await screen.findByRole("heading", { level: 1, name: "Disconnected in QuickBooks?" });
  screen.getByText(/or reconnect to continue/);
  expect(screen.getByRole("link", { name: "Reconnect" }).getAttribute("href")).toBe("/get-app/");
});
