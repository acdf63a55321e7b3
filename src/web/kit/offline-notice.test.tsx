import { openAsOwner, renderApp, startServer } from "#web/test-support.tsx";
import { act, screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";

const server = await startServer();

test("while the browser is offline the page says so, and that input is kept; the notice goes when it is online again", async () => {
  await openAsOwner(server, "/settings/", renderApp);
  const line = vi.spyOn(navigator, "onLine", "get");
  const become = (isOnline: boolean) =>
    act(() => {
      line.mockReturnValue(isOnline);
      window.dispatchEvent(new Event(isOnline ? "online" : "offline"));
    });
  expect(screen.queryByText("You're offline.")).toBeNull();
  become(false);
  expect(screen.getByText("You're offline.")).toBeTruthy();
  expect(
    screen.getByText(
      "Nothing is sent until your connection is back. What you chose and typed stays on this page.",
    ),
  ).toBeTruthy();
  become(true);
  expect(screen.queryByText("You're offline.")).toBeNull();
  line.mockRestore();
});
