import { acme, owner, renderApp, startServer } from "#web/test-support.tsx";
import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";

const server = await startServer();

async function openLabels(user: object) {
  server.on("GET /api/v1/user", { json: owner(user) });
  server.visit("/label/");
  renderApp();
  await screen.findByRole("heading", { level: 2 });
  return within(screen.getByRole("main"));
}

test("who may not enter reads so, and whom to ask: the company's admin, or us", async () => {
  const main = await openLabels({ groups: ["app"], companies: [acme], email: "carl@acme.example" });
  expect(main.getByRole("heading", { level: 2 }).textContent).toBe("You don't have access to Labels");
  expect(main.getByText(/^Ask/).textContent).toBe(
    "Ask olive@acme.example, your company's admin, or contact us.",
  );
  expect(main.getAllByRole("link").map((link) => link.getAttribute("href"))).toEqual([
    "mailto:olive@acme.example",
    "/contact/",
  ]);
});

test.each([
  ["the admin", [acme]],
  ["somebody without a company", []],
])("%s is sent to us, not to themselves", async (_who, companies) => {
  const main = await openLabels({ groups: [], companies });
  expect(main.getAllByRole("link").map((link) => link.getAttribute("href"))).toEqual(["/contact/"]);
});
