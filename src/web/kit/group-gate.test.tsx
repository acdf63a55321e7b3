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

test.each([
  ["a member", { groups: ["app"], companies: [acme], email: "carl@acme.example" }],
  ["the company's admin", { groups: [], companies: [acme] }],
  ["somebody without a company", { groups: [], companies: [] }],
])(
  "%s who may not enter reads so, and whom to ask: those who run the product, who alone can give it",
  async (_who, user) => {
    const main = await openLabels(user);
    expect(main.getByRole("heading", { level: 2 }).textContent).toBe("You don't have access to Labels");
    expect(main.getByText(/^Please/).textContent).toBe("Please contact us to ask for it.");
    expect(main.getAllByRole("link").map((link) => link.getAttribute("href"))).toEqual(["/contact/"]);
  },
);
