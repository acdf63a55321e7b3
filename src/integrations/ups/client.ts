import type { Clock } from "#platform/clock.ts";
import type { Ids } from "#platform/ids.ts";
import type { Budget, LeaseKind } from "#platform/outbound/budget.ts";
import type { OutboundFetch } from "#platform/outbound/allowed-hosts.ts";
import { checkAccount } from "#integrations/ups/check-account.ts";
import type { UpsConfig } from "#integrations/ups/config.ts";
import type { UpsPlace } from "#integrations/ups/exchange.ts";
import { recoverLabels } from "#integrations/ups/recover-labels.ts";
import { ship } from "#integrations/ups/ship.ts";
import { createUpsSignIn } from "#integrations/ups/sign-in.ts";
import { subscribe, subscribeAccount, unsubscribeAccount } from "#integrations/ups/subscribe.ts";
import { track, trackReference } from "#integrations/ups/track.ts";
import { validateAddress } from "#integrations/ups/validate-address.ts";
import { voidShipment } from "#integrations/ups/void-shipment.ts";

type Deps = { fetch: OutboundFetch; clock: Clock; ids: Ids; budget: Budget };

/** One budget for all companies. */
const BUDGET_KEY = "ups";

/** Every call of ours to UPS. All but the sign-in take from the budget: tokens are refreshed while their row is locked. */
export function createUps(config: UpsConfig, deps: Deps) {
  const signInPlace = {
    ...deps,
    baseUrl: config.baseUrl,
    acquire: () => Promise.resolve(() => Promise.resolve()),
  };
  const takeFrom = (kind: LeaseKind) => async () => {
    const lease = await deps.budget.acquire(BUDGET_KEY, kind);
    return () => deps.budget.release(lease);
  };
  const place = { ...signInPlace, acquire: takeFrom("request") };
  const pollPlace = { ...signInPlace, acquire: takeFrom("batch") };
  return {
    ...createUpsSignIn(config, signInPlace),
    checkAccount: bind(place, checkAccount),
    ship: bind(place, ship),
    voidShipment: bind(place, voidShipment),
    recoverLabels: bind(place, recoverLabels),
    track: bind(pollPlace, track),
    trackReference: bind(place, trackReference),
    subscribe: bind(pollPlace, subscribe),
    subscribeAccount: bind(pollPlace, subscribeAccount),
    unsubscribeAccount: bind(place, unsubscribeAccount),
    validateAddress: bind(place, validateAddress),
  };
}

/** Each takes an access token first; the function itself says the rest. */
const bind =
  <Args extends unknown[], Answer>(
    place: UpsPlace,
    call: (place: UpsPlace, ...args: Args) => Promise<Answer>,
  ) =>
  (...args: Args): Promise<Answer> =>
    call(place, ...args);

export type Ups = ReturnType<typeof createUps>;
