import { owner, renderPage, startServer, userEvent } from "#web/test-support.tsx";
import { cleanup, screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";

const server = await startServer();
const expectHeadingFocused = () =>
  waitFor(() => expect(document.activeElement).toBe(screen.getByRole("heading", { level: 1 })));

test("AY-02 after sending a message, and after starting another, the focus is on the heading", async () => {
  server.on("GET /api/v1/user", { json: owner() });
  server.on("POST /api/v1/contact", {});
  server.visit("/contact/");
  renderPage();
  // The form is the user's once their address is in it.
  await screen.findByDisplayValue(owner().email);
  await userEvent.fill(await screen.findByRole("textbox", { name: "Message" }), "How do I undo an upload?");
  await userEvent.click(screen.getByRole("button", { name: "Send" }));
  const another = await screen.findByRole("button", { name: "Send another message" });
  await expectHeadingFocused();
  await userEvent.click(another);
  await screen.findByRole("textbox", { name: "Message" });
  await expectHeadingFocused();
});

test("the form uses the support ID in its address, not one typed for an earlier failure", async () => {
  server.on("GET /api/v1/user", { json: owner() });
  const field = async (of: string) => {
    server.visit(`/contact/?support_id=${of}`);
    renderPage();
    return screen.findByRole<HTMLInputElement>("textbox", { name: /^Support ID/ });
  };
  await userEvent.type(await field("req-1"), "a");
  cleanup();
  expect((await field("req-2")).value).toBe("req-2");
  cleanup();
  expect((await field("req-1")).value).toBe("req-1a");
});
