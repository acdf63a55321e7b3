import * as z from "zod";
import { API_VERSION } from "#integrations/ups/config.ts";
import { UpsError } from "#integrations/ups/errors.ts";
import { exchange, type UpsCall, type UpsPlace } from "#integrations/ups/exchange.ts";
import { code, list, optional, packageNumber, text } from "#integrations/ups/wire.ts";

const TIMEOUT_MS = 30_000;

/** UPS refuses more packages in a call. */
const MAX_PACKAGES = 20;

/** Already voided, and voided with a pickup still booked. */
const DONE: ReadonlySet<string> = new Set(["190117", "190119"]);

export type VoidedPackage = { trackingNumber: string; isVoided: boolean; message: string };

export type VoidAnswer = { state: "voided" | "partly" | "kept"; packages: VoidedPackage[] };

/**
 * Voids a shipment, or some of its packages. Safe to repeat: a label that is voided already counts as voided.
 * @param trackingNumbers of packages; the whole shipment if absent
 * @throws UpsError; `refused` for a whole shipment that UPS keeps, `uncertain` if UPS doesn't say which packages it voided.
 * Packages that it keeps are in the answer.
 */
export async function voidShipment(
  place: UpsPlace,
  accessToken: string,
  shipmentId: string,
  trackingNumbers?: readonly string[],
): Promise<VoidAnswer> {
  const call = async (numbers: readonly string[]) => {
    const answer = await exchange(place, toVoidRequest(accessToken, shipmentId, numbers), voidAnswer);
    if (isClear(answer, numbers)) return answer;
    throw new UpsError({ kind: "uncertain", message: "A void whose packages UPS doesn't name" });
  };
  if (!trackingNumbers) {
    const { packages, isPartial } = await orDone(call([]), { packages: [], isPartial: false });
    return { state: isPartial ? "partly" : sumStates(packages), packages };
  }
  const asked = trackingNumbers.map((each) => each.toUpperCase());
  const packages: VoidedPackage[] = [];
  for (let at = 0; at < asked.length; at += MAX_PACKAGES) {
    const some = asked.slice(at, at + MAX_PACKAGES);
    packages.push(...(await voidPackages(some, call)));
  }
  return { state: sumStates(packages), packages };
}

/** A success that names no package is one for a whole shipment only, and only if none was kept. */
const isClear = ({ packages, isPartial }: Voided, numbers: readonly string[]): boolean =>
  numbers.length > 0
    ? numbers.every((each) => packages.some(({ trackingNumber }) => trackingNumber === each))
    : !isPartial || packages.some(({ isVoided }) => !isVoided);

/** A refusal is about all the packages of a call; those of other calls may be voided by now. */
async function voidPackages(
  numbers: readonly string[],
  call: (numbers: readonly string[]) => Promise<Voided>,
): Promise<VoidedPackage[]> {
  const all = (isVoided: boolean, message: string) =>
    numbers.map((each): VoidedPackage => ({ trackingNumber: each, isVoided, message }));
  try {
    const { packages } = await orDone(call(numbers), {
      packages: all(true, "Already Voided"),
      isPartial: false,
    });
    return numbers.flatMap((each) => packages.find(({ trackingNumber }) => trackingNumber === each) ?? []);
  } catch (error) {
    if (!(error instanceof UpsError) || error.kind !== "refused") throw error;
    return all(false, error.faults.map((fault) => `${fault.message} (${fault.code})`).join(" "));
  }
}

async function orDone(call: Promise<Voided>, done: Voided): Promise<Voided> {
  try {
    return await call;
  } catch (error) {
    if (
      error instanceof UpsError &&
      error.kind === "refused" &&
      error.faults.every((fault) => DONE.has(fault.code))
    )
      return done;
    throw error;
  }
}

/** The answer of a whole void may name no package. */
function sumStates(packages: readonly VoidedPackage[]): VoidAnswer["state"] {
  if (packages.every(({ isVoided }) => isVoided)) return "voided";
  return packages.some(({ isVoided }) => isVoided) ? "partly" : "kept";
}

/** Several numbers are a JSON list within the query. */
export function toVoidRequest(accessToken: string, shipmentId: string, numbers: readonly string[]): UpsCall {
  const [first = ""] = numbers;
  return {
    method: "DELETE",
    path: `/api/shipments/${API_VERSION}/void/cancel/${encodeURIComponent(shipmentId.toUpperCase())}`,
    ...(numbers.length > 0
      ? { query: { trackingnumber: numbers.length === 1 ? first : JSON.stringify(numbers) } }
      : {}),
    authorization: `Bearer ${accessToken}`,
    timeoutMs: TIMEOUT_MS,
  };
}

type Voided = { packages: VoidedPackage[]; isPartial: boolean };

const status = z.object({ Code: code, Description: text });
const results = list(z.object({ TrackingNumber: packageNumber, Status: status }));

/** The list has one name in UPS's document and another in its answers. A summary of success may cover a package that was kept. */
export const voidAnswer = z
  .object({
    VoidShipmentResponse: z.object({
      SummaryResult: optional(z.object({ Status: status })),
      PackageLevelResult: results,
      PackageLevelResults: results,
    }),
  })
  .refine(({ VoidShipmentResponse: { SummaryResult, ...lists } }) =>
    Boolean(SummaryResult ?? Object.values(lists).some((each) => each.length > 0)),
  )
  .transform(({ VoidShipmentResponse: answer }): Voided => {
    const packages = [...answer.PackageLevelResult, ...answer.PackageLevelResults].map(
      ({ TrackingNumber, Status }): VoidedPackage => ({
        trackingNumber: TrackingNumber,
        isVoided: Status.Code === "1",
        message: Status.Description,
      }),
    );
    const summary = answer.SummaryResult?.Status;
    const isPartial = summary ? summary.Code !== "1" || /partial/i.test(summary.Description) : false;
    return { packages, isPartial };
  });
