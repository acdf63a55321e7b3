import { openAsOwner, problem, startServer, userEvent } from "#web/test-support.tsx";
import { cleanup, screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";

const server = await startServer();

const open = (path: string) => openAsOwner(server, path);

/** The test server refuses every call but the user's own. */
test.each([
  ["/settings/", 1],
  ["/app/", 2],
  ["/app/?check=c-1", 1],
  ["/app/?receipt=u-1", 1],
  ["/app/?names=1", 4],
  ["/controller/", 1],
])("FR-38 FR-41 what could not be read at %s says so, and can be requested again", async (path, parts) => {
  await open(path);
  const everyPart = () => {
    const found = screen.getAllByRole("group", { name: "Error!" });
    expect(found).toHaveLength(parts);
    return found;
  };
  // Parts that load their own code are late on a busy machine.
  const blocks = await waitFor(everyPart);
  for (const block of blocks) within(block).getByRole("button", { name: "Try again" });
});

test("FR-41 AY-02 Try again keeps the focus and announces another failure", async () => {
  const asked = () => server.requests.filter(({ url }) => url.pathname === "/api/v1/company").length;
  await open("/settings/");
  await userEvent.click(await screen.findByRole("button", { name: "Try again" }));
  expect((await screen.findByRole("alert")).textContent).toContain("Not here.");
  expect(asked()).toBe(2);
  expect(document.activeElement).not.toBe(document.body);
  server.on("GET /api/v1/company", { json: { companies: [] } });
  await userEvent.click(screen.getByRole("button", { name: "Try again" }));
  // First the button is gone and the answer is awaited, then its place is gone too.
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole("heading", { level: 1 })));
  expect(screen.queryByRole("button", { name: "Try again" })).toBeNull();
});

async function failDisconnecting(status: number) {
  server.on("POST /api/v1/company/disconnect", problem(status, "It did not work."));
  await open("/disconnect/");
  await userEvent.click(await screen.findByRole("button", { name: "Disconnect Acme Tools" }));
  return within(await screen.findByRole("alert"));
}

test("ER-27 a server error shows its support id and a contact link with it; a user error does not", async () => {
  const ours = await failDisconnecting(500);
  expect(ours.getByText("r-1")).toBeTruthy();
  expect(ours.getByRole("link", { name: "Contact us" }).getAttribute("href")).toBe(
    "/contact/?support_id=r-1",
  );
  cleanup();
  const theirs = await failDisconnecting(409);
  expect(theirs.queryByText("r-1")).toBeNull();
  expect(theirs.queryByRole("link")).toBeNull();
});

test("ER-27 AY-07 where the browser doesn't allow copying, the support ID is selected, and this is announced", async () => {
  const ours = await failDisconnecting(500);
  Object.defineProperty(navigator, "clipboard", { value: undefined, configurable: true });
  await userEvent.click(ours.getByRole("button", { name: "Copy" }));
  const sentence = /^Your browser doesn't allow copying here\. The support ID is selected/;
  await waitFor(() => expect(screen.getAllByText(sentence)).toHaveLength(2));
  expect(window.getSelection()?.toString()).toBe("r-1");
});

test("AY-07 a copied support id is on the clipboard, and this is announced", async () => {
  const ours = await failDisconnecting(500);
  const copied: string[] = [];
  const clipboard = { writeText: (text: string) => Promise.resolve(void copied.push(text)) };
  Object.defineProperty(navigator, "clipboard", { value: clipboard, configurable: true });
  await userEvent.click(ours.getByRole("button", { name: "Copy" }));
  await waitFor(() => expect(screen.getAllByText("Support ID copied")).toHaveLength(2));
  expect(screen.getByRole("status").textContent).toBe("Support ID copied");
  expect(copied).toEqual(["r-1"]);
});
