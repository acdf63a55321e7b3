import { json, type Reply } from "../kit/http.ts";
import type { Caller } from "./callers.ts";
import { recoverInCie } from "./recovery-cie.ts";
import { field, has, text } from "./fields.ts";
import { findDelivery } from "./journeys.ts";
import type { LabelFacts } from "./label-art.ts";
import { writePdf } from "./label-pdf.ts";
import { labelPage, makeLabel } from "./labels.ts";
import {
  findLabel,
  findPackage,
  findShipment,
  listByReference,
  listPackages,
  type LabelImage,
  type Package,
  type Shipment,
} from "./records.ts";
import { listIn, UpsFault } from "./replies.ts";
import { readSettings } from "./settings.ts";
import type { Simulator } from "./simulator.ts";

const DAY_MS = 86_400_000;
const KEPT_DAYS = 30;
const MAX_PACKAGES = 100;
const MAX_CANDIDATES = 20;

type Call = { version: string; body: unknown; caller: Caller };

/**
 * Answers POST `/api/labels/{version}/recovery`: labels of one shipment, by a number of it or by reference and
 * shipper; candidates when several match.
 * @throws UpsFault in UPS's codes
 */
export function recoverLabels(sim: Simulator, { version, body, caller }: Call): Reply {
  const request = field(body, "LabelRecoveryRequest");
  const format = readFormat(request);
  const number = text(request, "TrackingNumber");
  const value = text(request, "ReferenceValues", "ReferenceNumber", "Value");
  const shipper = text(request, "ReferenceValues", "ShipperNumber");
  if (number === "" && (value === "" || shipper === ""))
    throw new UpsFault(
      400,
      "300005",
      "A tracking number or a reference number with shipper number is required",
    );
  const mine = ({ account }: Shipment) =>
    caller.accounts.includes(account) && (number !== "" || account === shipper);
  if (readSettings(sim).mode === "cie") return json(200, response(recoverInCie(number)));
  const found = (number !== "" ? byNumber(sim, number) : byReference(sim, value)).filter(
    (shipment) => mine(shipment) && isProcessed(sim, shipment),
  );
  const live = found.filter(({ id }) => listPackages(sim, id).some(({ voidedAt }) => voidedAt === null));
  if (found.length === 0) throw new UpsFault(400, "300007", "No shipment found, or it is not yet processed");
  const [shipment, ...others] = live;
  if (!shipment) throw new UpsFault(400, "300033", "The shipment has been voided");
  if (live.length > MAX_CANDIDATES)
    throw new UpsFault(400, "300035", "Too many shipments match the reference number");
  if (others.length > 0) return json(200, response({ TrackingCandidate: live.map(candidate) }));
  const linked = has(field(request, "LabelDelivery"), "LabelLinkIndicator");
  return json(200, response(labels(sim, shipment, { version, format, linked })));
}

type Format = "GIF" | "ZPL" | "PDF";

function readFormat(request: unknown): Format {
  const code = text(request, "LabelSpecification", "LabelImageFormat", "Code").toUpperCase();
  if (code === "ZPL" || code === "PDF") return code;
  if (code === "GIF" || code === "") return "GIF";
  throw new UpsFault(400, "300010", "The label image format is not available");
}

const byNumber = (sim: Simulator, number: string): Shipment[] => {
  const pack = findPackage(sim, number);
  return pack ? [findShipment(sim, pack.shipmentId)].flatMap((shipment) => shipment ?? []) : [];
};

/** Each shipment once, oldest first, none older than UPS's window. */
function byReference(sim: Simulator, value: string): Shipment[] {
  const ids = new Set(listByReference(sim, value).map(({ shipmentId }) => shipmentId));
  const since = sim.clock.now().getTime() - KEPT_DAYS * DAY_MS;
  return [...ids].flatMap((id) => findShipment(sim, id) ?? []).filter(({ createdAt }) => createdAt >= since);
}

/** A new shipment is found only after a while. */
const isProcessed = (sim: Simulator, { createdAt }: Shipment) =>
  sim.clock.now().getTime() >= createdAt + readSettings(sim).recoveryDelayMs;

function labels(
  sim: Simulator,
  shipment: Shipment,
  { version, format, linked }: { version: string; format: Format; linked: boolean },
): object {
  const now = sim.clock.now().getTime();
  const packages = listPackages(sim, shipment.id).filter(({ voidedAt }) => voidedAt === null);
  if (now > shipment.createdAt + KEPT_DAYS * DAY_MS)
    throw new UpsFault(400, "300006", "The label has expired");
  if (packages.length > MAX_PACKAGES)
    throw new UpsFault(400, "300003", `Labels of more than ${MAX_PACKAGES} packages cannot be recovered`);
  if (packages.every((pack) => findDelivery(pack, now)))
    throw new UpsFault(400, "300002", "The shipment has been delivered");
  const results = packages.map((pack, at) => {
    const link = linked ? { URL: `${sim.publicUrl}/labels/${pack.tracking}` } : {};
    if (format !== "PDF") {
      const label = storedOrDrawn(sim, { shipment, pack }, format);
      return { TrackingNumber: pack.tracking, LabelImage: { ...picture(pack, label), ...link } };
    }
    // A PDF has all labels, and is sent once, with the first package.
    if (at > 0) return { TrackingNumber: pack.tracking };
    const pdf = image("PDF", writePdf(packages.map((each) => ({ shipment, pack: each }))));
    return { TrackingNumber: pack.tracking, LabelImage: { ...pdf, ...link } };
  });
  return { ShipmentIdentificationNumber: shipment.id, LabelResults: listIn(version, results) };
}

function storedOrDrawn(sim: Simulator, facts: LabelFacts, format: LabelImage["format"]): LabelImage {
  const stored = findLabel(sim, facts.pack.tracking);
  return stored?.format === format ? stored : makeLabel(format, facts);
}

/** Codes come back in lower case. */
const image = (format: string, content: Buffer) => ({
  LabelImageFormat: { Code: format.toLowerCase(), Description: format.toLowerCase() },
  GraphicImage: content.toString("base64"),
});

const picture = ({ tracking }: Package, label: LabelImage) => ({
  ...image(label.format, label.content),
  ...(label.format === "ZPL"
    ? {}
    : { HTMLImage: Buffer.from(labelPage(tracking, label)).toString("base64") }),
});

const candidate = ({ id, shipTo, createdAt }: Shipment) => {
  const day = new Date(createdAt).toISOString().slice(0, 10).replaceAll("-", "");
  return {
    TrackingNumber: id,
    DestinationPostalCode: shipTo.postal,
    DestinationCountryCode: shipTo.country,
    PickupDateRange: { BeginDate: day, EndDate: day },
  };
};

const response = (content: object) => ({
  LabelRecoveryResponse: { Response: { ResponseStatus: { Code: "1", Description: "Success" } }, ...content },
});
