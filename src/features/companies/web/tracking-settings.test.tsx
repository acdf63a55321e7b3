import { TrackingSettings } from "#features/companies/web/tracking-settings.tsx";
import { createQueryClient } from "#web/kit/query-client.ts";
import { acme, recordingReporter } from "#web/test-support.tsx";
import { theme } from "#web/theme/theme.ts";
import { ThemeProvider } from "@mui/material/styles";
import { QueryClientProvider } from "@tanstack/react-query";
import { cleanup, render, screen, within } from "@testing-library/react";
import { expect, test } from "vitest";

const company = {
  ...acme,
  services: ["tracking" as const],
  connection: "connected" as const,
  settings: {
    contact_email: acme.admin,
    ups_account: "4F2A11",
    attach_pods: "false" as const,
    invoice_lookback: 30,
  },
};

/** Draws the section. @returns what of it can be used */
function usable(services: (typeof company)["services"]): string[] {
  cleanup();
  render(
    <ThemeProvider theme={theme}>
      <QueryClientProvider client={createQueryClient(recordingReporter().reporter)}>
        <TrackingSettings company={{ ...company, services }} />
      </QueryClientProvider>
    </ThemeProvider>,
  );
  return [...screen.getAllByRole("textbox"), ...screen.getAllByRole("checkbox")].flatMap((field) =>
    (field as HTMLInputElement).disabled ? [] : [(field as HTMLInputElement).labels?.[0]?.textContent ?? ""],
  );
}

test("TR-10 without the Tracking Service no field of tracking can be used", () => {
  expect(usable(["tracking"])).toEqual([
    "Contact email",
    "Look back (days)",
    "Attach proofs of delivery to invoices",
  ]);
  expect(usable([])).toEqual([]);
  const buttons = screen.getAllByRole<HTMLButtonElement>("button");
  expect(buttons.map(({ disabled }) => disabled)).toEqual([true, true]);
});

test("TR-24 TR-25 the settings are in three groups, and each says what it is for", () => {
  usable(["tracking"]);
  const groups = screen.getAllByRole("form");
  expect(
    groups.map((group) => [
      within(group).getByRole("heading", { level: 4 }).textContent,
      group.querySelector("p")?.textContent,
    ]),
  ).toEqual([
    ["Who is notified", "For messages about tracking and about this connection."],
    ["What is tracked", "Enter a whole number from 1 to 90."],
    ["UPS", "Connecting a UPS account isn't available yet."],
  ]);
});
