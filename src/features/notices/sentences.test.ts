import { expect, test } from "vitest";
import { writeText } from "#features/notices/sentences.ts";

const NAMES = { product: "Dockside", publicUrl: "https://dockside.example" };
const PAID = { company: "Acme Tools", service: "Tracking Service", price: "$29.00 a month" };
const recipient = "owner@acme.example";
const link = { label: "Open Settings", url: "https://dockside.example/settings/" };

test("mails about payments say what happened, what happens if the reader does nothing, and where to go", () => {
  expect(
    writeText({ kind: "renewal_failed", recipient, params: { ...PAID, day: "2026-12-05" } }, NAMES),
  ).toEqual({
    subject: "The payment for Tracking Service of Acme Tools failed",
    paragraphs: [
      "The renewal of Tracking Service for Acme Tools, $29.00 a month, couldn't be charged.",
      "Tracking Service stays on until December 5, 2026. Choose Fix payment in Settings before then and nothing stops. After that it is off; data and settings are kept.",
    ],
    link,
  });
  expect(writeText({ kind: "trial_ends", recipient, params: { ...PAID, day: "2026-12-05" } }, NAMES)).toEqual(
    {
      subject: "The free trial of Tracking Service for Acme Tools ends on December 5, 2026",
      paragraphs: [
        "The free trial of Tracking Service for Acme Tools ends on December 5, 2026. Without a card it ends by itself and nothing is charged.",
        "To keep it, choose Manage in Settings and add a card: $29.00 a month from then on. You can cancel anytime.",
      ],
      link,
    },
  );
  expect(
    writeText({ kind: "service_off", recipient, params: { ...PAID, cause: "unpaid" } }, NAMES).paragraphs,
  ).toEqual([
    "Tracking Service for Acme Tools is off because its renewal wasn't paid.",
    "Data and settings are kept. Turn it on again in Settings: $29.00 a month.",
  ]);
  expect(
    writeText({ kind: "service_off", recipient, params: { ...PAID, price: null, cause: "trial" } }, NAMES)
      .paragraphs,
  ).toEqual([
    "The free trial of Tracking Service for Acme Tools has ended. Nothing was charged.",
    "Data and settings are kept. Turn it on again in Settings.",
  ]);
  expect(
    writeText(
      { kind: "payer_changed", recipient, params: { company: "Acme Tools", by: "clerk@acme.example" } },
      NAMES,
    ).paragraphs[0],
  ).toBe("clerk@acme.example took over billing for Acme Tools in Dockside. You won't be charged again.");
});
