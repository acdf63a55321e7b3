import * as z from "zod";
import { exchange, type UpsPlace } from "#integrations/ups/exchange.ts";
import { code, list } from "#integrations/ups/wire.ts";
import { DAY_MS } from "#platform/time.ts";

const TIMEOUT_MS = 30_000;

/** Numbers in one call. */
export const MAX_SUBSCRIBED = 100;
/** A subscription ends after this. */
export const SUBSCRIBED_MS = 14 * DAY_MS;

/**
 * Lets UPS send the events of all packages that an account sends, without an end (Track Alert, version 2). Where they go and
 * under which client is set once at UPS's portal.
 * @throws UpsError
 */
export async function subscribeAccount(place: UpsPlace, accessToken: string, account: string): Promise<void> {
  const call = {
    path: ACCOUNT_PATH,
    authorization: `Bearer ${accessToken}`,
    body: { shipperAccountNumber: account, subAccountType: ["Outbound"], clientSubscriptionId: account },
    timeoutMs: TIMEOUT_MS,
  };
  await exchange(place, call, z.object({ shipperAccountNumber: code }));
}

/** Ends it. @throws UpsError */
export async function unsubscribeAccount(
  place: UpsPlace,
  accessToken: string,
  account: string,
): Promise<void> {
  const call = {
    method: "DELETE" as const,
    path: ACCOUNT_PATH,
    query: { shipper_account_number: account },
    authorization: `Bearer ${accessToken}`,
    timeoutMs: TIMEOUT_MS,
  };
  await exchange(place, call, z.unknown());
}

const ACCOUNT_PATH = "/api/track/v2/subscription/standard/account";

const answer = z.object({ validTrackingNumbers: list(code).catch([]) });

/**
 * Lets UPS send the events of packages from now on (Track Alert, version 1): neither earlier ones, nor one again that was
 * missed.
 * @param destination.credential comes back with each event, as the header `credential`
 * @returns the numbers that it sends events of
 * @throws UpsError
 */
export async function subscribe(
  place: UpsPlace,
  accessToken: string,
  { numbers, destination }: { numbers: readonly string[]; destination: { url: string; credential: string } },
): Promise<string[]> {
  const call = {
    path: "/api/track/v1/subscription/standard/package",
    authorization: `Bearer ${accessToken}`,
    body: {
      locale: "en_US",
      countryCode: "US",
      trackingNumberList: numbers,
      destination: { ...destination, credentialType: "Bearer" },
    },
    timeoutMs: TIMEOUT_MS,
  };
  return (await exchange(place, call, answer)).validTrackingNumbers;
}
