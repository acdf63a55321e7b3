import { acme, owner, renderApp, startServer, userEvent } from "#web/test-support.tsx";
import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";

const server = await startServer();
const { keyboard, click, tab } = userEvent;

async function openWith(count: number) {
  const names = ["Acme Tools", "Beta Supply", "Cedar Sons", "Delta", "Elm", "Fjord", "Granite", "Beta Lamps"];
  const companies = names
    .slice(0, count)
    .map((name, index) => ({ ...acme, id: `${index + 1}`, name, admin: null }));
  server.on("GET /api/v1/user", { json: owner({ companies }) });
  server.visit("/");
  renderApp();
  await screen.findByRole("navigation", { name: "Main" });
}

const bar = () => within(screen.getByRole("banner"));
const shown = () =>
  bar()
    .queryAllByRole("option")
    .map(({ textContent }) => textContent);
const at = () => {
  const id = document.activeElement?.getAttribute("aria-activedescendant") ?? "";
  return document.getElementById(id)?.textContent;
};

test("SE-24 with eight companies the switch in the bar finds one by name, by keyboard alone", async () => {
  await openWith(8);
  const opener = bar().getByRole("button", { name: "Company Acme Tools", expanded: false });
  opener.focus();
  await keyboard("{ArrowDown}");
  const field = bar().getByRole("combobox", { name: "Find a company" });
  expect([document.activeElement, opener.getAttribute("aria-expanded")]).toEqual([field, "true"]);
  expect(shown()).toHaveLength(8);
  expect(bar().getByRole("option", { selected: true }).textContent).toBe("Acme Tools");
  await keyboard("beta");
  expect([shown(), at()]).toEqual([["Beta Supply", "Beta Lamps"], "Beta Supply"]);
  await waitFor(() => expect(screen.getByRole("status").textContent).toBe("2 companies"));
  await keyboard("{ArrowUp}");
  expect(at()).toBe("Beta Lamps");
  await keyboard("{Enter}");
  await waitFor(() => expect(document.activeElement).toBe(opener));
  expect([opener.textContent, window.localStorage.getItem("realmId")]).toEqual([
    "Company\u00a0Beta Lamps",
    "8",
  ]);
  expect(shown()).toEqual([]);
});

test("SE-24 AY-02 the list of companies closes on Escape, when it loses focus, and by its button", async () => {
  await openWith(8);
  const opener = bar().getByRole("button", { name: "Company Acme Tools" });
  await click(opener);
  await keyboard("nobody{Enter}");
  expect(bar().getByText("No company by that name")).toBeTruthy();
  await keyboard("{Escape}");
  expect([shown(), document.activeElement]).toEqual([[], opener]);
  await click(opener);
  expect(shown()).toHaveLength(8);
  await click(opener);
  expect(shown()).toEqual([]);
  await click(opener);
  await tab();
  expect(shown()).toEqual([]);
  expect(window.localStorage.getItem("realmId")).toBe("1");
});

test("SE-24 a company in the list is chosen by a click", async () => {
  await openWith(8);
  await click(bar().getByRole("button", { name: "Company Acme Tools" }));
  await click(bar().getByRole("option", { name: "Delta" }));
  expect(window.localStorage.getItem("realmId")).toBe("4");
  expect(shown()).toEqual([]);
});

test("SE-24 up to seven companies use the browser's own select", async () => {
  await openWith(7);
  expect(bar().getByRole("combobox", { name: "Company" }).children).toHaveLength(7);
});
