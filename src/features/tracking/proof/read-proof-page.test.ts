import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { BREAKS, makeFacts, makePage } from "#features/tracking/proof/fixtures/responses.ts";
import { readProofPage } from "#features/tracking/proof/read-proof-page.ts";

const facts = makeFacts(2);
const page = makePage(facts);
const read = (html: string, number = facts.number) => readProofPage(Buffer.from(html), number);
const EXPECTED = {
  references: [facts.reference],
  service: facts.service,
  weight: facts.weight,
  shippedOn: "11/01/2026",
  deliveredOn: facts.deliveredOn,
  deliveredTo: facts.deliveredTo,
  leftAt: facts.leftAt,
  receivedBy: facts.receivedBy,
};

test("the labeled lines of a page are read in spite of UPS's defects", () => {
  expect(read(page)).toEqual(EXPECTED);
  expect(read(page, ` ${facts.number.toLowerCase()}`)).toEqual(EXPECTED);
});

test.each(BREAKS.map((change, at) => [at, change] as const))(
  "broken or hostile page %i is read",
  (_, change) => {
    expect(read(change(page))).toEqual(EXPECTED);
  },
);

test("a page about another package, or about none, is not trusted", () => {
  expect(read(page, "1Z1A2B3C0300000000")).toBeNull();
  expect(read(page.replace("</body>", "<div>Tracking Number<br>1Z9999999999999999</div></body>"))).toBeNull();
  expect(read("<p>Service<br>UPS Ground</p>")).toBeNull();
  expect(read("")).toBeNull();
  expect(read("\u0000\u0001PK binary")).toBeNull();
});

test("a label may come before a colon too, a value may begin like a label, and an empty value stays empty", () => {
  const html = `Tracking Number: ${facts.number}<br>Weight: <br>Service<br>Left At<br>Service entrance<br>Delivered To SEDONA, AZ<br>Signed By: A <b>B</b>`;
  expect(read(html)).toMatchObject({
    weight: "",
    service: "",
    leftAt: "Service entrance",
    deliveredTo: "SEDONA, AZ",
    receivedBy: "A B",
  });
});

test("text in UTF-8 without a charset and text in Windows-1252 are both read", () => {
  const html = page.replace(facts.receivedBy, "JOSÉ");
  expect(read(html)?.receivedBy).toBe("JOSÉ");
  expect(readProofPage(Buffer.from(html, "latin1"), facts.number)?.receivedBy).toBe("JOSÉ");
});

test("UPS's wording of 2024 is read, in the shape in which a page was published", () => {
  const number = "1Z2220060291994175";
  const html = readFileSync(
    new URL("../../../../test/corpus/vendors/pod-2024-labels.html", import.meta.url),
    "utf8",
  );
  expect(read(html, number)).toEqual({
    references: ["PO 4711, 12"],
    service: "UPS Ground",
    weight: "2.50 LBS",
    shippedOn: "07/01/2026",
    deliveredOn: "07/02/2026 2:22 P.M.",
    deliveredTo: "RENO, NV, US",
    leftAt: "",
    receivedBy: "",
  });
  expect(
    read(
      html.replace("Service Type", "Type of service").replace("Package Weight", "Weight of the package"),
      number,
    ),
  ).toMatchObject({
    service: "UPS Ground",
    weight: "2.50 LBS",
  });
});
