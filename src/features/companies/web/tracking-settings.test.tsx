import type { CompanyView } from "#features/companies/contract.ts";
import { CarrierAccount } from "#features/carrier/web/carrier-account.tsx";
import { TrackingSettings } from "#features/companies/web/tracking-settings.tsx";
import { createQueryClient } from "#web/kit/query-client.ts";
import { acme, recordingReporter, settingsOfAcme } from "#web/test-support.tsx";
import { theme } from "#web/theme/theme.ts";
import { ThemeProvider } from "@mui/material/styles";
import { QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen, within } from "@testing-library/react";
import { useState } from "react";
import { MemoryRouter } from "react-router";
import { expect, test } from "vitest";

const company = {
  ...acme,
  connection: "connected" as const,
  settings: { ...settingsOfAcme, ups_account: "4F2A11", ups_state: "connected" as const },
};

type Settings = NonNullable<CompanyView["settings"]>;

const Watch = () => <p>Last check</p>;

function Section({ services, changed }: { services: CompanyView["services"]; changed: Partial<Settings> }) {
  const [queries] = useState(() => createQueryClient(recordingReporter().reporter));
  return (
    <ThemeProvider theme={theme}>
      <QueryClientProvider client={queries}>
        <MemoryRouter>
          <TrackingSettings
            company={{ ...company, services, settings: { ...company.settings, ...changed } }}
            Carrier={CarrierAccount}
            Watch={Watch}
          />
        </MemoryRouter>
      </QueryClientProvider>
    </ThemeProvider>
  );
}

/** Renders the section. @returns its enabled controls */
function usable(services: CompanyView["services"], changed: Partial<Settings> = {}): string[] {
  cleanup();
  render(<Section services={services} changed={changed} />);
  return [...screen.getAllByRole("textbox"), ...screen.getAllByRole("checkbox")].flatMap((field) =>
    (field as HTMLInputElement).disabled ? [] : [(field as HTMLInputElement).labels?.[0]?.textContent ?? ""],
  );
}

test("TR-10 without the Tracking Service no field of tracking can be used", () => {
  expect(usable(["tracking"])).toEqual([
    "Contact email",
    "UPS account",
    "Look back (days)",
    "Attach proofs of delivery to invoices",
    "Add UPS freight to invoices",
  ]);
  expect(usable([])).toEqual([]);
  const buttons = screen.getAllByRole<HTMLButtonElement>("button");
  expect(buttons.map(({ disabled }) => disabled)).toEqual([true, true, true]);
});

test("TR-11 VA-06 another user's change is shown, and saving this form does not revert it", () => {
  const section = (changed: Partial<Settings>) => <Section services={["tracking"]} changed={changed} />;
  cleanup();
  const { rerender } = render(section({}));
  rerender(section({ contact_email: "ops@acme.example", attach_pods: "true", invoice_lookback: 60 }));
  const shown = screen.getAllByRole<HTMLInputElement>("textbox").map(({ value }) => value);
  expect(shown).toEqual(["ops@acme.example", "4F2A11", "60"]);
  const attach = screen.getByRole<HTMLInputElement>("checkbox", {
    name: "Attach proofs of delivery to invoices",
  });
  expect(attach.checked).toBe(true);
  const buttons = screen.getAllByRole<HTMLButtonElement>("button");
  expect(buttons.map(({ textContent, disabled }) => [textContent, disabled])).toEqual([
    ["Update contact", true],
    ["Disconnect", false],
    ["Save", true],
  ]);
});

test("TR-05 proofs are sent along and combined only while they are attached; both choices are offered with their help", () => {
  const boxes = () =>
    screen
      .getAllByRole<HTMLInputElement>("checkbox")
      .map((field) => [
        field.labels?.[0]?.textContent,
        document.getElementById(field.getAttribute("aria-describedby") ?? "")?.textContent,
        field.checked,
      ]);
  const attach = "Attach proofs of delivery to invoices";
  const hint = "The carrier's proof is added to the invoice in QuickBooks.";
  const freight = [
    "Add UPS freight to invoices",
    "This changes what you bill. From now on, the price of each UPS label made here is added to its invoice as the shipping amount. Invoices that bill a retailer's order, or already have a shipping amount or a payment, don't change.",
    false,
  ];
  usable(["tracking"]);
  expect(boxes()).toEqual([[attach, hint, false], freight]);
  fireEvent.click(screen.getByRole("checkbox", { name: attach }));
  expect(boxes()).toEqual([
    [attach, hint, true],
    [
      "Send the proof with the invoice",
      "When you email the invoice from QuickBooks, the proof is attached to the email.",
      false,
    ],
    ["One file for all packages of an invoice", "Otherwise each package has its own file.", false],
    freight,
  ]);
  fireEvent.click(screen.getByRole("checkbox", { name: attach }));
  expect(boxes()).toHaveLength(2);
});

test("TR-23 the section ends with whether tracking works, only while the service is on", () => {
  usable(["tracking"]);
  expect(screen.getByText("Last check")).toBeTruthy();
  usable([]);
  expect(screen.queryByText("Last check")).toBeNull();
});

test("TR-24 TR-25 contact and tracking are two groups beside the carrier account with its state, and each field has help", () => {
  const helps = () =>
    screen
      .getAllByRole("form")
      .map((group) => [
        within(group).getByRole("heading", { level: 4 }).parentElement?.textContent,
        ...[...group.querySelectorAll("input")].map((field) => [
          field.labels?.[0]?.textContent,
          document.getElementById(field.getAttribute("aria-describedby") ?? "")?.textContent,
        ]),
      ]);
  const noMail = "No mail server is set up, so nothing is sent now.";
  const groups = (state: string) => [
    [
      "Who is notified",
      ["Contact email", `We email this address when tracking stops or a connection expires. ${noMail}`],
    ],
    [
      `Carrier account${state}`,
      ["UPS account", "The account number has 6 letters and digits. You'll sign in at UPS to connect it."],
    ],
    [
      "What is tracked",
      ["Attach proofs of delivery to invoices", "The carrier's proof is added to the invoice in QuickBooks."],
      [
        "Add UPS freight to invoices",
        "This changes what you bill. From now on, the price of each UPS label made here is added to its invoice as the shipping amount. Invoices that bill a retailer's order, or already have a shipping amount or a payment, don't change.",
      ],
      ["Look back (days)", "Track invoices dated within this many days (1–90)."],
    ],
  ];
  usable(["tracking"]);
  expect(helps()).toEqual(groups("Connected ••2A11"));
  usable(["tracking"], { ups_state: "reconnect_needed" });
  expect(helps()).toEqual(groups("Needs attention"));
  usable(["tracking"], { ups_account: "", ups_state: "none" });
  expect(helps()).toEqual(groups("Not connected"));
});

test("TR-03 TR-04 TR-21 TR-22 VA-05 Connect shows without a connected account or for another one, Disconnect for a connected one", () => {
  const buttons = () =>
    within(screen.getByRole("form", { name: "Carrier account" }))
      .getAllByRole<HTMLButtonElement>("button")
      .map(({ textContent, disabled }) => (disabled ? `(${textContent})` : textContent));
  const type = (value: string) =>
    fireEvent.change(screen.getByRole("textbox", { name: "UPS account" }), { target: { value } });
  usable(["tracking"], { ups_account: "", ups_state: "none" });
  expect(buttons()).toEqual(["(Connect)"]);
  type("1A2B3C");
  expect(buttons()).toEqual(["Connect"]);
  sessionStorage.clear();
  usable(["tracking"]);
  expect(buttons()).toEqual(["Disconnect"]);
  type("9Z9Z9Z");
  expect(buttons()).toEqual(["Connect", "Disconnect"]);
  sessionStorage.clear();
  usable(["tracking"], { ups_state: "reconnect_needed" });
  expect(buttons()).toEqual(["Reconnect", "Disconnect"]);
  usable([]);
  expect(buttons()).toEqual(["(Disconnect)"]);
});
