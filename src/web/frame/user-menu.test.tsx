import { openAsOwner, renderApp, startServer, wide, userEvent } from "#web/test-support.tsx";
import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";

const server = await startServer();
const bar = () => within(screen.getByRole("banner"));

test("the bar shows the user's initials, which open name and email until Escape", async () => {
  await openAsOwner(server, "/settings/", renderApp);
  const face = await bar().findByRole("button", { name: "Olive Owner, account", expanded: false });
  expect(face.firstElementChild?.textContent).toBe("OO");
  await userEvent.click(face);
  expect(bar().getByText("Olive Owner")).toBeTruthy();
  expect(bar().getByText("olive@acme.example")).toBeTruthy();
  await userEvent.keyboard("{Escape}");
  expect(bar().queryByText("olive@acme.example")).toBeNull();
  expect(document.activeElement).toBe(face);
});

test("on a narrow screen the menu shows name and email below its entries", async () => {
  wide(false);
  await openAsOwner(server, "/settings/", renderApp);
  expect(bar().queryByRole("button", { name: "Olive Owner, account" })).toBeNull();
  await userEvent.click(await bar().findByRole("button", { name: "Menu" }));
  expect(bar().getByText("olive@acme.example")).toBeTruthy();
  expect(bar().getByRole("link", { name: "Sign out" })).toBeTruthy();
});
