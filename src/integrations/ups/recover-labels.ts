import * as z from "zod";
import { UpsError } from "#integrations/ups/errors.ts";
import { exchange, type UpsPlace } from "#integrations/ups/exchange.ts";
import { code, labelImage, list, optional, packageNumber, type LabelImage } from "#integrations/ups/wire.ts";

const TIMEOUT_MS = 30_000;

/** A label is searched for by its number, or by a reference of an account's shipments. */
export type LabelQuery = { trackingNumber: string } | { reference: string; account: string };

/** Why UPS has no label. Only the first two mean that none can be used. */
export type NoLabelReason = "unknown" | "voided" | "expired" | "delivered";

export type RecoveredPackage = { trackingNumber: string; label: LabelImage | null };

/** `zip` and `country` are of the destination. */
export type LabelCandidate = { trackingNumber: string; zip: string; country: string };

export type RecoverAnswer =
  /** UPS answers a PDF once, with the first package. */
  | { state: "found"; shipmentId: string; packages: RecoveredPackage[] }
  /** Several shipments; none is listed if they are too many. */
  | { state: "candidates"; candidates: LabelCandidate[] }
  /** `unknown` also of a label that was made seconds ago. */
  | { state: "none"; reason: NoLabelReason };

const NONE: Record<string, NoLabelReason> = {
  "300002": "delivered",
  "300006": "expired",
  "300007": "unknown",
  "300033": "voided",
};
const SEVERAL: ReadonlySet<string> = new Set(["300001", "300035"]);

/**
 * Searches for labels that UPS has made, of the last 30 days when by reference.
 * @throws UpsError
 */
export async function recoverLabels(
  place: UpsPlace,
  accessToken: string,
  query: LabelQuery,
  format: "GIF" | "PDF" | "ZPL",
): Promise<RecoverAnswer> {
  const call = {
    path: "/api/labels/v1/recovery",
    authorization: `Bearer ${accessToken}`,
    body: toRecoverRequest(query, format),
    timeoutMs: TIMEOUT_MS,
  };
  try {
    return await exchange(place, call, recoverAnswer);
  } catch (error) {
    const found = error instanceof UpsError && error.kind === "refused" ? toAnswer(error) : null;
    if (found) return found;
    throw error;
  }
}

function toAnswer({ faults }: UpsError): RecoverAnswer | null {
  for (const { code: each } of faults) {
    const reason = NONE[each];
    if (reason) return { state: "none", reason };
    if (SEVERAL.has(each)) return { state: "candidates", candidates: [] };
  }
  return null;
}

export function toRecoverRequest(query: LabelQuery, format: "GIF" | "PDF" | "ZPL"): object {
  return {
    LabelRecoveryRequest: {
      Request: { SubVersion: "1903" },
      LabelSpecification: {
        LabelImageFormat: { Code: format },
        HTTPUserAgent: "Mozilla/4.5",
        LabelStockSize: { Height: "6", Width: "4" },
      },
      Translate: { LanguageCode: "eng", DialectCode: "US", Code: "01" },
      ...("trackingNumber" in query
        ? { TrackingNumber: query.trackingNumber.toUpperCase() }
        : {
            ReferenceValues: { ReferenceNumber: { Value: query.reference }, ShipperNumber: query.account },
          }),
    },
  };
}

/** We use no label in HTML, nor one that is behind an address. */
const result = z.object({
  TrackingNumber: packageNumber,
  LabelImage: optional(z.object({ GraphicImage: optional(labelImage) })),
});
const candidate = z.object({
  TrackingNumber: packageNumber,
  DestinationPostalCode: code,
  DestinationCountryCode: code,
});

export const recoverAnswer = z
  .object({
    LabelRecoveryResponse: z.object({
      ShipmentIdentificationNumber: optional(packageNumber),
      LabelResults: list(result),
      TrackingCandidate: list(candidate),
    }),
  })
  .transform(({ LabelRecoveryResponse: answer }, context): RecoverAnswer => {
    const packages = answer.LabelResults.map(({ TrackingNumber, LabelImage: image }) => ({
      trackingNumber: TrackingNumber,
      label: image?.GraphicImage ?? null,
    }));
    const shipmentId = answer.ShipmentIdentificationNumber ?? packages[0]?.trackingNumber;
    if (shipmentId && packages.length > 0) return { state: "found", shipmentId, packages };
    const candidates = answer.TrackingCandidate.map((each) => ({
      trackingNumber: each.TrackingNumber,
      zip: each.DestinationPostalCode,
      country: each.DestinationCountryCode,
    }));
    if (candidates.length > 0) return { state: "candidates", candidates };
    context.addIssue("neither labels nor candidates");
    return z.NEVER;
  });
