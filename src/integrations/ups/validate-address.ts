import * as z from "zod";
import { exchange, type UpsPlace } from "#integrations/ups/exchange.ts";
import { toDigits, toLines, type Address } from "#integrations/ups/shipment.ts";
import { code, list, optional, text } from "#integrations/ups/wire.ts";

const TIMEOUT_MS = 20_000;

/** Street addresses are validated and classified. */
const VALIDATE_AND_CLASSIFY = 3;

export type Classification = "residential" | "commercial" | "unknown";

export type AddressAnswer =
  /** As UPS writes it, null if it does not repeat it. */
  | { state: "valid"; address: Address | null; classification: Classification }
  | { state: "ambiguous"; candidates: Address[]; classification: Classification }
  | { state: "unknown"; classification: Classification };

/**
 * Asks UPS whether it can deliver to a street address.
 * @throws UpsError
 */
export async function validateAddress(
  place: UpsPlace,
  accessToken: string,
  address: Address,
): Promise<AddressAnswer> {
  const call = {
    path: `/api/addressvalidation/v2/${VALIDATE_AND_CLASSIFY}`,
    authorization: `Bearer ${accessToken}`,
    body: toAddressRequest(address),
    timeoutMs: TIMEOUT_MS,
  };
  return exchange(place, call, addressAnswer);
}

export function toAddressRequest(address: Address): object {
  const { city, state, zip, country } = address;
  const digits = country === "US" ? toDigits(zip) : zip.trim();
  return {
    XAVRequest: {
      AddressKeyFormat: {
        AddressLine: toLines(address),
        PoliticalDivision2: city.trim(),
        PoliticalDivision1: state,
        PostcodePrimaryLow: country === "US" ? digits.slice(0, 5) : digits,
        ...(country === "US" && digits.length === 9 ? { PostcodeExtendedLow: digits.slice(5) } : {}),
        CountryCode: country,
      },
    },
  };
}

/** Flags are set whatever their value is, which is mostly empty. */
const flag = z
  .unknown()
  .optional()
  .transform((value) => value !== undefined && value !== null);
const classification = optional(z.object({ Code: code }));

const candidate = z
  .object({
    AddressKeyFormat: z.object({
      AddressLine: list(text),
      PoliticalDivision2: text,
      PoliticalDivision1: code,
      PostcodePrimaryLow: code,
      PostcodeExtendedLow: code,
      CountryCode: code,
    }),
  })
  .transform(({ AddressKeyFormat: found }): Address => {
    const extension = found.PostcodeExtendedLow;
    return {
      lines: found.AddressLine,
      city: found.PoliticalDivision2,
      state: found.PoliticalDivision1,
      zip: extension ? `${found.PostcodePrimaryLow}-${extension}` : found.PostcodePrimaryLow,
      country: found.CountryCode,
    };
  });

const CLASSES: Record<string, Classification> = { "1": "commercial", "2": "residential" };

export const addressAnswer = z
  .object({
    XAVResponse: z.object({
      ValidAddressIndicator: flag,
      AmbiguousAddressIndicator: flag,
      NoCandidatesIndicator: flag,
      AddressClassification: classification,
      Candidate: list(candidate),
    }),
  })
  .transform(({ XAVResponse: answer }, context): AddressAnswer => {
    const kind = CLASSES[answer.AddressClassification?.Code ?? ""] ?? "unknown";
    const candidates = answer.Candidate;
    if (answer.ValidAddressIndicator)
      return { state: "valid", address: candidates[0] ?? null, classification: kind };
    if (answer.AmbiguousAddressIndicator) return { state: "ambiguous", candidates, classification: kind };
    if (answer.NoCandidatesIndicator) return { state: "unknown", classification: kind };
    context.addIssue("no verdict");
    return z.NEVER;
  });
