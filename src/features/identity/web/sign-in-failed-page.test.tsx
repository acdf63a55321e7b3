import { problem, renderPage, startServer } from "#web/test-support.tsx";
import { screen } from "@testing-library/react";
import { expect, test } from "vitest";

const server = await startServer();

test.each([
  ["unverified", "https://accounts.intuit.com/app/account-manager/security"],
  ["expired", undefined],
])(
  "LG-05 after a sign-in that failed as %s, Intuit's e-mail page is linked only if it helps",
  async (reason, href) => {
    server.on("GET /api/v1/user", problem(401, "Sign in."));
    server.visit(`/login/failed?reason=${reason}`);
    renderPage();
    await screen.findByRole("link", { name: "Try again" });
    expect(screen.queryByRole("link", { name: "Verify my email at Intuit" })?.getAttribute("href")).toBe(
      href,
    );
  },
);
