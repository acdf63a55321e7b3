import { expect, test } from "vitest";
import { writeText } from "#features/notices/sentences.ts";

const NAMES = { product: "Dockside", publicUrl: "https://dockside.example" };
const PAID = { company: "Acme Tools", service: "Tracking Service", price: "$29.00 a month", payer: null };
const recipient = "owner@acme.example";
const link = { label: "Open Settings", url: "https://dockside.example/settings/" };

test("mails about payments say what happened, what happens if the reader does nothing, and where to go", () => {
  expect(
    writeText({ kind: "renewal_failed", recipient, params: { ...PAID, day: "2026-12-05" } }, NAMES),
  ).toEqual({
    subject: "The payment for Tracking Service of Acme Tools failed",
    paragraphs: [
      "The renewal of Tracking Service for Acme Tools, $29.00 a month, couldn't be charged.",
      "Tracking Service stays on until December 5, 2026. Choose Fix payment in Settings before then and nothing stops. After that it's turned off; your data and settings are kept.",
    ],
    link,
  });
  expect(writeText({ kind: "trial_ends", recipient, params: { ...PAID, day: "2026-12-05" } }, NAMES)).toEqual(
    {
      subject: "The free trial of Tracking Service for Acme Tools ends on December 5, 2026",
      paragraphs: [
        "The free trial of Tracking Service for Acme Tools ends on December 5, 2026. If you don't add a card, it ends and nothing is charged.",
        "Choose Manage in Settings and add a card to keep it: $29.00 a month from then on. It can be canceled anytime.",
      ],
      link,
    },
  );
  expect(
    writeText({ kind: "service_off", recipient, params: { ...PAID, cause: "unpaid" } }, NAMES).paragraphs,
  ).toEqual([
    "Tracking Service for Acme Tools is off because its renewal wasn't paid.",
    "Your data and settings are kept. Turn it on again in Settings: $29.00 a month.",
  ]);
  expect(
    writeText({ kind: "service_off", recipient, params: { ...PAID, price: null, cause: "trial" } }, NAMES)
      .paragraphs,
  ).toEqual([
    "The free trial of Tracking Service for Acme Tools has ended. Nothing was charged.",
    "Your data and settings are kept. Turn it on again in Settings.",
  ]);
  expect(
    writeText({ kind: "service_off", recipient, params: { ...PAID, cause: "canceled" } }, NAMES)
      .paragraphs[0],
  ).toBe("Tracking Service for Acme Tools is off because its subscription was canceled.");
  expect(
    writeText(
      { kind: "payer_changed", recipient, params: { company: "Acme Tools", by: "clerk@acme.example" } },
      NAMES,
    ).paragraphs[0],
  ).toBe("clerk@acme.example took over billing for Acme Tools on Dockside. You won't be charged again.");
});

test("where the payer isn't the admin, a mail about a payment says to each what they can do", () => {
  const write = (to: string) => {
    const params = { ...PAID, payer: "payer@acme.example", day: "2026-12-05", cause: "unpaid" } as const;
    const kinds = ["renewal_failed", "trial_ends", "service_off"] as const;
    return kinds.map((kind) => writeText({ kind, recipient: to, params }, NAMES).paragraphs[1]);
  };
  expect(write("payer@acme.example")).toEqual([
    "Tracking Service stays on until December 5, 2026. Open the billing portal in Settings and change the card before then and nothing stops. After that it's turned off; your data and settings are kept.",
    "Open the billing portal in Settings and add a card to keep it: $29.00 a month from then on. It can be canceled anytime.",
    "Your data and settings are kept. The company's admin can turn it on again in Settings: $29.00 a month.",
  ]);
  expect(write("admin@acme.example")).toEqual([
    "Tracking Service stays on until December 5, 2026. payer@acme.example, who pays for it, can change the card in the billing portal, or you can take over billing in Settings and add it again with your own card, before then and nothing stops. After that it's turned off; your data and settings are kept.",
    "payer@acme.example, who pays for it, can add a card in the billing portal, or you can take over billing in Settings and add it again with your own card, to keep it: $29.00 a month from then on. It can be canceled anytime.",
    "Your data and settings are kept. Turn it on again in Settings: $29.00 a month.",
  ]);
});

test("TK-12 mails about packages name each with its invoice and UPS's words, and the summary counts what is new", () => {
  const late = { number: "1Z1", invoice: "X-1", customer: "Blue Door", text: "Weather delay" };
  const attend = (others: number, ...packages: (typeof late)[]) =>
    writeText(
      { kind: "packages_need_attention", recipient, params: { company: "Acme Tools", packages, others } },
      NAMES,
    );
  const attention = (...packages: (typeof late)[]) => attend(0, ...packages);
  expect(attend(40, late)).toMatchObject({
    subject: "41 packages of Acme Tools need attention",
    paragraphs: [
      "UPS reports problems with these packages:",
      "Blue Door, invoice X-1, 1Z1. UPS says: Weather delay.",
      "40 more packages are listed in Tracking.",
      "Tracking shows every scan. To change a delivery, contact UPS with the tracking number.",
    ],
  });
  const tracking = { label: "Open Tracking", url: "https://dockside.example/tracking/" };
  const last = "Tracking shows every scan. To change a delivery, contact UPS with the tracking number.";
  expect(attention(late)).toEqual({
    subject: "A package of Acme Tools needs attention: invoice X-1",
    paragraphs: [
      "UPS reports a problem with a package:",
      "Blue Door, invoice X-1, 1Z1. UPS says: Weather delay.",
      last,
    ],
    link: tracking,
  });
  expect(attention(late, { number: "1Z2", invoice: "", customer: "", text: " " })).toMatchObject({
    subject: "2 packages of Acme Tools need attention",
    paragraphs: [
      "UPS reports problems with these packages:",
      "Blue Door, invoice X-1, 1Z1. UPS says: Weather delay.",
      "1Z2. UPS gave no reason.",
      last,
    ],
  });
  const params = { company: "Acme Tools", delivered: 3, attached: 1, attention: 2 };
  expect(writeText({ kind: "packages_digest", recipient, params }, NAMES)).toEqual({
    subject: "Packages of Acme Tools: 3 delivered, 1 proof filed, 2 need attention",
    paragraphs: [
      "Since the last summary:",
      "3 packages were delivered.",
      "1 proof of delivery was attached to its invoice.",
      "2 packages need attention.",
    ],
    link: tracking,
  });
});
