import { acme, openAsOwner, owner, problem, renderPage, startServer, userEvent } from "#web/test-support.tsx";
import { act, screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";

const server = await startServer();
const REQUIRED = "You must sign in with Intuit to access the app.";

test("FR-42 when a session ends the page says so and that the last action was not sent", async () => {
  server.on("POST /api/v1/company/disconnect", problem(401, "Sign in."));
  await openAsOwner(server, "/disconnect/");
  await userEvent.click(await screen.findByRole("button", { name: "Disconnect Acme Tools" }));
  expect(await screen.findByRole("heading", { level: 2, name: "Your session ended" })).toBeTruthy();
  expect(screen.getByText("Your last change wasn't sent. Sign in again to continue here.")).toBeTruthy();
  expect(screen.getByText(REQUIRED, { selector: "main p" })).toBeTruthy();
});

test("FR-42 when a session ends during a read the page does not mention unsent actions", async () => {
  await openAsOwner(server, "/settings/");
  server.on("GET /api/v1/company", problem(401, "Sign in."));
  await act(() => window.dispatchEvent(new Event("online")));
  expect(await screen.findByRole("heading", { level: 2, name: "Your session ended" })).toBeTruthy();
  expect(screen.getByText("Sign in again to continue here.")).toBeTruthy();
});

test("FR-30 a guest sees how to sign in and nothing about an ended session", async () => {
  server.on("GET /api/v1/user", problem(401, "Sign in."));
  server.visit("/settings/");
  renderPage();
  await waitFor(() => expect(screen.getByText(REQUIRED)).toBeTruthy());
  expect(screen.queryByText("Your session ended")).toBeNull();
});

async function openLabels(user: object) {
  server.on("GET /api/v1/user", { json: owner(user) });
  server.visit("/label/");
  renderPage();
  await screen.findByRole("heading", { level: 2 });
  return within(screen.getByRole("main"));
}

test.each([
  ["a member", { groups: ["app"], companies: [acme], email: "carl@acme.example" }],
  ["the company's admin", { groups: [], companies: [acme] }],
  ["a user without a company", { groups: [], companies: [] }],
])("%s without access to a page sees that, and finds the contact page", async (_who, user) => {
  const main = await openLabels(user);
  expect(main.getByRole("heading", { level: 2 }).textContent).toBe("You don't have access to Labels.");
  expect(main.getByText(/^Ask/).textContent).toBe("Ask your administrator or contact us.");
  expect(main.getAllByRole("link").map((link) => link.getAttribute("href"))).toEqual(["/contact/"]);
});
