import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { PDFiumLibrary } from "@hyzyla/pdfium";
import { PNG } from "pngjs";
import { afterAll, expect, test } from "vitest";
import {
  makeActivity,
  makeFacts,
  makePackage,
  SHAPES,
  makeSignature,
} from "#features/tracking/proof/fixtures/responses.ts";
import { placeDelivery } from "#features/packages/index.ts";
import { makeProof } from "#features/tracking/proof/make-proof.ts";
import type { TrackedPackage } from "#integrations/ups/track-answer.ts";

const library = await PDFiumLibrary.init();
afterAll(() => library.destroy());

const NOW = new Date("2026-11-26T09:20:00Z");
const make = (tracked: TrackedPackage) => makeProof({ tracked, now: NOW });

type Seen = { pages: number; text: string; pictures: number };

async function readBack(pdf: Buffer): Promise<Seen> {
  const document = await library.loadDocument(pdf);
  const page = document.getPage(0);
  const pictures = [...page.objects()].filter(({ type }) => type === "image").length;
  const seen = { pages: document.getPageCount(), text: page.getText().replaceAll(/\s+/g, " "), pictures };
  document.destroy();
  return seen;
}

const MADE = "Made from tracking activity: UPS had no proof of delivery document";

test("100 delivered packages with UPS's four kinds of answers become 100 correct pages, with no network request (TK-11)", async () => {
  let sockets = 0;
  const count = () => {
    sockets += 1;
  };
  subscribe("net.client.socket", count);
  for (let seed = 0; seed < 100; seed += 1) {
    const shape = SHAPES[seed % SHAPES.length] ?? "proof";
    const { pdf, source } = await make(makePackage(seed, shape));
    const { pages, text, pictures } = await readBack(pdf);
    const facts = makeFacts(seed);
    const isByCarrier = shape === "proof" || shape === "broken markup";
    expect({ seed, source, pages }).toEqual({ seed, source: isByCarrier ? "carrier" : "activity", pages: 1 });
    for (const each of [facts.number, "UPS"]) expect(text).toContain(each);
    expect(text.includes(MADE)).toBe(!isByCarrier);
    expect(text).toContain(isByCarrier ? facts.leftAt : "FRONT DOOR");
    expect(text).toContain(isByCarrier ? facts.receivedBy : "NEIGHBOR");
    expect(text).toContain(isByCarrier ? facts.reference : `S-${seed}`);
    expect(text).toMatch(
      isByCarrier ? /Nov \d+, 2026, \d+:47 PM local time/ : "Nov 20, 2026, 1:47 PM local time",
    );
    expect(text).toContain("DELIVERED");
    expect(pictures).toBe(shape === "proof" || shape === "signature only" ? 1 : 0);
  }
  unsubscribe("net.client.socket", count);
  expect(sockets).toBe(0);
}, 120_000);

test("SR-12 times on a proof have the zone of their place, that of UPS's page too if its scan says the same", async () => {
  const tracked = makePackage(0, "proof");
  const [delivery, ...others] = tracked.activities;
  const scans = (time: string) => [
    { ...delivery!, at: "2026-11-01T20:47:00Z", localDate: "2026-11-01", localTime: time },
    ...others.map((each) => ({ ...each, at: `${each.localDate}T20:47:00Z` })),
  ];
  const same = await readBack((await make({ ...tracked, activities: scans("13:47:00") })).pdf);
  expect(same.text).toContain("Delivered Nov 1, 2026, 1:47 PM MST");
  expect(same.text).toMatch(/1:47 PM MST Arrived at Facility 1/);
  const other = await readBack((await make({ ...tracked, activities: scans("13:52:00") })).pdf);
  expect(other.text).toContain("Delivered Nov 1, 2026, 1:47 PM local time");
  const none = await readBack((await make({ ...tracked, activities: [] })).pdf);
  expect(none.text).toContain("Delivered Nov 1, 2026, 1:47 PM local time");
});

test("TK-11 a delivery that UPS doesn't call so has one day on its page and its proof, also with a later data update", async () => {
  const tracked = makePackage(2, "neither");
  const [delivery, ...others] = tracked.activities;
  const at = (day: string) => ({ at: `${day}T20:47:00Z`, localDate: day, localTime: "13:47:00" });
  const scan = { ...delivery!, ...at("2026-11-20"), state: null };
  const update = { ...scan, ...at("2026-11-21"), type: "U", description: "Photo" };
  const answer = { ...tracked, activities: [update, scan, ...others] };
  expect(placeDelivery(answer).local_date).toBe("2026-11-20");
  const { text } = await readBack((await make(answer)).pdf);
  expect(text).toContain("Delivered Nov 20, 2026, 1:47 PM");
});

test("the same answer gives the same bytes", async () => {
  const [first, second] = [await make(makePackage(4, "proof")), await make(makePackage(4, "proof"))];
  expect(first.pdf.equals(second.pdf)).toBe(true);
});

test("60 scans stay on one page, newest first, and the earlier ones are counted", async () => {
  const tracked = makePackage(0, "proof");
  tracked.activities.push(...Array.from({ length: 60 }, (_, at) => makeActivity(at + 2)));
  const { pages, text } = await readBack((await make(tracked)).pdf);
  expect(pages).toBe(1);
  expect(text).toContain("Arrived at Facility 1");
  const shown = text.match(/DELIVERED|Arrived at Facility \d+/g)?.length ?? 0;
  expect(text).toContain(`and ${tracked.activities.length - shown} earlier scans`);
});

test("a picture that can't be read is left out, and named; one without ink is not a signature", async () => {
  const withSignature = (signature: Buffer) => {
    const tracked = makePackage(1, "signature only");
    return { ...tracked, delivery: { ...tracked.delivery!, signature } };
  };
  for (const bytes of [
    makeSignature("png").subarray(0, 80),
    Buffer.from([0xff, 0xd8, 0xff]),
    Buffer.from("GIF89a"),
  ]) {
    const { text, pictures } = await readBack((await make(withSignature(bytes))).pdf);
    expect(pictures).toBe(0);
    expect(text).toContain("UPS's picture of the signature can't be read, so it is left out.");
  }
  const empty = PNG.sync.write(new PNG({ width: 9, height: 9 }));
  const { text, pictures } = await readBack((await make(withSignature(empty))).pdf);
  expect(pictures).toBe(0);
  expect(text).not.toContain("Signature");
});

test("long names, other scripts and characters that no font has stay within the page", async () => {
  const tracked = makePackage(5, "neither");
  tracked.references = Array.from({ length: 40 }, (_, at) => ({ type: "PO", number: `REFERENCE-${at}` }));
  const name = `${"Extraordinarily Long Trading Company of Łódź ".repeat(8)}北京`;
  const named = (receivedBy: string) =>
    make({
      ...tracked,
      delivery: { location: "", signature: null, proof: null, ...tracked.delivery, receivedBy },
    });
  const { pages, text } = await readBack((await named(name)).pdf);
  expect(pages).toBe(1);
  expect(text).toContain("Extraordinarily Long Trading Company of Łódź");
  const greek = await readBack((await named("Αθήνα Київ 北京")).pdf);
  expect(greek.text).toContain("Αθήνα Київ ??");
  expect(greek.text).toContain("A question mark may stand for a letter");
});

test("a page about another package is not trusted: the proof is made from the activities", async () => {
  const tracked = { ...makePackage(0, "proof"), trackingNumber: "1Z9999999999999999" };
  const { pdf, source } = await make(tracked);
  const { text } = await readBack(pdf);
  expect(source).toBe("activity");
  expect(text).toContain(MADE);
  expect(text).not.toContain(makeFacts(0).receivedBy);
});
