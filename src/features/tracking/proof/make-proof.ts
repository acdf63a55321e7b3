import { readFontFile } from "#platform/fonts.ts";
import { findDelivery, nameZone, placeDelivery } from "#features/packages/index.ts";
import type { Placed } from "#features/packages/contract.ts";
import { dayAndTime, scanTime, type Fact } from "#features/tracking/paper.ts";
import { drawProof } from "#features/tracking/proof/draw-proof.ts";
import { readProofPage, type ProofPage } from "#features/tracking/proof/read-proof-page.ts";
import type { Activity, TrackedPackage } from "#integrations/ups/track-answer.ts";

/** `now`: time of UPS's answer. */
type ProofInput = { tracked: TrackedPackage; now: Date };

/** `activity`: UPS had no document, or one of another package. */
type ProofFile = { pdf: Buffer; source: "carrier" | "activity" };

/**
 * Makes the proof of delivery of a package from UPS's answer: its facts, signature and activities, on one page. UPS's own
 * page is only read for its facts. The same input gives the same bytes.
 * It names no invoice and no customer: it is attached to each invoice that has the package, now or later.
 */
export async function makeProof({ tracked, now }: ProofInput): Promise<ProofFile> {
  const { trackingNumber, activities, delivery } = tracked;
  const page = delivery?.proof ? readProofPage(delivery.proof, trackingNumber) : null;
  const source = page ? "carrier" : "activity";
  const facts: Fact[] = [["Tracking number", trackingNumber], ...listFacts(tracked, page)];
  const signature = delivery?.signature ?? null;
  const pdf = await drawProof(
    { trackingNumber, facts, signature, activities, source, answeredAt: now },
    readFontFile,
  );
  return { pdf, source };
}

/** UPS's page comes first, then the answer that brought it. */
function listFacts(tracked: TrackedPackage, page: ProofPage | null): Fact[] {
  const scan = findDelivery(tracked.activities);
  const delivered = { scan: placeDelivery(tracked), place: scan ? placeName(scan) : "" };
  const answered = factsInAnswer(tracked, delivered);
  const stated = page && factsOnPage(page, delivered);
  return answered.map(([label, value], at) => [label, stated?.[at] || value]);
}

/** The delivery, and its place with the country. */
type Delivered = { scan: Placed; place: string };

/** Facts of the answer, in the order of the paper. */
function factsInAnswer({ delivery, ...rest }: TrackedPackage, delivered: Delivered): Fact[] {
  return [
    ["Delivered", scanTime(delivered.scan)],
    ["Delivered to", delivered.place],
    ["Left at", delivery?.location ?? ""],
    ["Received by", delivery?.receivedBy ?? ""],
    ["Service", rest.service?.description ?? ""],
    ["Weight", rest.weight ? `${rest.weight.weight} ${rest.weight.unit}` : ""],
    ["Shipped or billed", ""],
    ["References", [...new Set(rest.references.map(({ number }) => number))].join(", ")],
  ];
}

/** The same facts as UPS's page states them; empty for those that it leaves out. */
const factsOnPage = (page: ProofPage, { scan }: Delivered): string[] => [
  shownDate(page.deliveredOn, scan),
  page.deliveredTo,
  page.leftAt,
  page.receivedBy,
  page.service,
  page.weight,
  shownDate(page.shippedOn, scan),
  page.references.join(", "),
];

const placeName = ({ place }: Activity): string =>
  [place.city, place.state, place.country].filter(Boolean).join(", ");

/**
 * "11/20/2026 1:47 P.M." as "Nov 20, 2026, 1:47 PM MST"; other spellings stay. The page names no zone: it is the one of the
 * delivery's scan if that was at the same minute.
 */
function shownDate(text: string, delivered: Placed): string {
  const parts = /^(\d\d?)\/(\d\d?)\/(\d{4})(?:\s+(\d\d?):(\d\d)\s*([AP])\.?M\.?)?$/i.exec(text.trim());
  if (!parts) return text;
  const [, month = "", day = "", year = "", hour, minute, half] = parts;
  const hours = (Number(hour) % 12) + (half?.toUpperCase() === "P" ? 12 : 0);
  const time = hour === undefined ? "" : `${String(hours).padStart(2, "0")}:${minute}:00`;
  const date = `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
  const isSame = date === delivered.local_date && time.slice(0, 5) === delivered.local_time.slice(0, 5);
  return dayAndTime(date, time, isSame ? nameZone(delivered) : "local time") || text;
}
