import { openAsOwner, problem, startServer, userEvent } from "#web/test-support.tsx";
import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";

const server = await startServer();

const MB = 1024 * 1024;
const storage = [
  { kind: "workbooks", used_bytes: 1.5 * MB, limit_bytes: 5 * 1024 * MB },
  { kind: "answers", used_bytes: 0, limit_bytes: null },
];

test("the admin sees how much of each kind is stored and how much may be, and tries again after a failure", async () => {
  server.on("GET /api/v1/company/storage", () => problem(503, "The database doesn't answer."));
  await openAsOwner(server, "/settings/data/?section=storage");
  const card = within(await screen.findByRole("region", { name: "Storage" }));
  expect(await card.findByText("The database doesn't answer.")).toBeTruthy();
  server.on("GET /api/v1/company/storage", { json: { storage } });
  await userEvent.click(card.getByRole("button", { name: "Try again" }));
  const list = await screen.findByRole("list", { name: "Storage" });
  expect(
    within(list)
      .getAllByRole("listitem")
      .map(({ textContent }) => textContent),
  ).toEqual(["Invoice files1.5 MB of 5 GB", "Answers to repeated API calls, kept for a day0 bytes"]);
});
