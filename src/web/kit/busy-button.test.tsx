import { DemoReset } from "#features/invoices/web/first-steps/first-steps.tsx";
import { openAsOwner, problem, startServer, userEvent } from "#web/test-support.tsx";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";

const server = await startServer();

const open = (path: string) => openAsOwner(server, path);

const openReset = async () => {
  render(
    <QueryClientProvider client={new QueryClient()}>
      <DemoReset />
    </QueryClientProvider>,
  );
  await userEvent.click(screen.getByRole("button", { name: "Reset demo data" }));
};
const openContact = async () => {
  await open("/contact/");
  await userEvent.type(await screen.findByRole("textbox", { name: "Message" }), "Hello.");
};

test.each([
  ["Disconnect Acme Tools", "POST /api/v1/company/disconnect", () => open("/disconnect/")],
  ["Send", "POST /api/v1/contact", openContact],
  ["Reset now", "POST /api/v1/demo/reset", openReset],
])(
  "DL-02 AY-02 %s spins while it waits, keeps focus, calls once, and works again after a failure",
  async (name, call, start) => {
    let end = (): void => undefined;
    server.on(call, {
      ...problem(500, "It did not work."),
      wait: new Promise<void>((resolve) => (end = resolve)),
    });
    await start();
    const button = await screen.findByRole("button", { name });
    await userEvent.click(button);
    await waitFor(() => expect(button.querySelector("[role=progressbar]")).not.toBeNull());
    await userEvent.click(button);
    expect([button.getAttribute("aria-busy"), button.textContent]).toEqual(["true", name]);
    expect(document.activeElement).toBe(button);
    end();
    await screen.findByText("It did not work.");
    await waitFor(() => expect(button.querySelector("[role=progressbar]")).toBeNull());
    const asked = () =>
      server.requests.filter(({ method, url }) => call === `${method} ${url.pathname}`).length;
    expect([button.getAttribute("aria-busy"), asked()]).toEqual(["false", 1]);
    await userEvent.click(button);
    await waitFor(() => expect(asked()).toBe(2));
  },
);
