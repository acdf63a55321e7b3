import { owner, renderPage, startServer, userEvent } from "#web/test-support.tsx";
import { fireEvent, screen, within } from "@testing-library/react";
import { expect, test } from "vitest";

const server = await startServer();

async function open() {
  server.on("GET /api/v1/user", { json: owner() });
  server.visit("/add-in/");
  renderPage();
  await screen.findByRole("button", { name: "Copy" });
  return within(screen.getByRole("main"));
}

test("AD-01 AD-02 AD-03 AD-04 AD-05 AD-06 AD-07 AD-08 every control of the mock-up is there and disabled", async () => {
  const main = await open();
  const names = ["Copy", "New Token", "Invalidate Token", "Save", "Reject All Sessions", "Download"];
  for (const name of names) expect(main.getByRole<HTMLButtonElement>("button", { name }).disabled).toBe(true);
  const token = main.getByLabelText<HTMLInputElement>("Access token");
  const password = main.getByLabelText<HTMLInputElement>("Password");
  expect([token.disabled, token.readOnly, token.placeholder]).toEqual([
    true,
    true,
    "Your token will appear here",
  ]);
  expect([password.disabled, password.type, password.required, password.placeholder]).toEqual([
    true,
    "password",
    true,
    "Choose a password",
  ]);
});

test("AD-09 AD-10 AD-11 AD-14 the page warns, lists the five steps, and warns of leaks", async () => {
  const main = await open();
  const notices = ["The workbook is a beta with macros.", "Enable macros only for files from us."];
  for (const sentence of notices) expect(main.getByText(sentence)).toBeTruthy();
  expect(main.getAllByRole("listitem").map((step) => step.textContent)).toEqual([
    "Log in with your token and password",
    "Create an upload tab",
    "Insert your data",
    "Click Upload",
    "Review the results",
  ]);
  const warning = [
    "If a template with your token leaks, others can upload in your name.",
    "Invalidate the token.",
  ];
  for (const sentence of warning) expect(main.getByText(sentence)).toBeTruthy();
});

test("AD-13 the page says that it is a preview", async () => {
  const main = await open();
  expect(main.getByText("Coming soon: this is a preview.")).toBeTruthy();
});

test("AD-12 clicking everything calls nothing", async () => {
  const main = await open();
  const before = server.requests.length;
  for (const button of main.getAllByRole("button")) fireEvent.click(button);
  await userEvent.tab();
  expect(server.requests.slice(before)).toEqual([]);
});
