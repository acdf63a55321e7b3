import { openAsOwner, problem, renderApp, startServer } from "#web/test-support.tsx";
import { act, screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { expect, test } from "vitest";

const server = await startServer();
const REQUIRED = "You must sign in with Intuit to access the app.";

test("FR-42 a session that ends is named, with what did not happen; a guest reads only how to sign in", async () => {
  server.on("POST /api/v1/company/disconnect", problem(401, "Sign in."));
  await openAsOwner(server, "/disconnect/");
  await userEvent.click(await screen.findByRole("button", { name: "Disconnect Acme Tools" }));
  expect(await screen.findByRole("heading", { level: 2, name: "Your session ended" })).toBeTruthy();
  expect(screen.getByText("What you did last wasn't sent. Sign in again to go on here.")).toBeTruthy();
  expect(screen.getByText(REQUIRED, { selector: "main p" })).toBeTruthy();
});

test("FR-42 a session that ends while a page only reads claims nothing that was not sent", async () => {
  await openAsOwner(server, "/settings/");
  server.on("GET /api/v1/company", problem(401, "Sign in."));
  await act(() => window.dispatchEvent(new Event("online")));
  expect(await screen.findByRole("heading", { level: 2, name: "Your session ended" })).toBeTruthy();
  expect(screen.getByText("Sign in again to go on here.")).toBeTruthy();
});

test("FR-30 a guest reads how to sign in and nothing of a session", async () => {
  server.on("GET /api/v1/user", problem(401, "Sign in."));
  server.visit("/settings/");
  renderApp();
  await waitFor(() => expect(screen.getByText(REQUIRED)).toBeTruthy());
  expect(screen.queryByText("Your session ended")).toBeNull();
});
