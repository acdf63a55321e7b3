import { openAsOwner, startServer } from "#web/test-support.tsx";
import { act, screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";

const server = await startServer();

test("while the line is gone the page says so, and what becomes of what is typed; it stops when the line is back", async () => {
  await openAsOwner(server, "/settings/");
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
