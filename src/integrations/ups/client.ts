import type { Clock } from "#platform/clock.ts";
import type { Ids } from "#platform/ids.ts";
import type { OutboundFetch } from "#platform/outbound/allowed-hosts.ts";
import { checkAccount } from "#integrations/ups/check-account.ts";
import type { UpsConfig } from "#integrations/ups/config.ts";
import type { UpsPlace } from "#integrations/ups/exchange.ts";
import { recoverLabels } from "#integrations/ups/recover-labels.ts";
import { ship } from "#integrations/ups/ship.ts";
import { createUpsSignIn } from "#integrations/ups/sign-in.ts";
import { subscribe } from "#integrations/ups/subscribe.ts";
import { track, trackReference } from "#integrations/ups/track.ts";
import { validateAddress } from "#integrations/ups/validate-address.ts";
import { voidShipment } from "#integrations/ups/void-shipment.ts";

type Deps = { fetch: OutboundFetch; clock: Clock; ids: Ids };

/** Every call of ours to UPS. */
export function createUps(config: UpsConfig, deps: Deps) {
  const place = { ...deps, baseUrl: config.baseUrl };
  return {
    ...createUpsSignIn(config, place),
    checkAccount: bind(place, checkAccount),
    ship: bind(place, ship),
    voidShipment: bind(place, voidShipment),
    recoverLabels: bind(place, recoverLabels),
    track: bind(place, track),
    trackReference: bind(place, trackReference),
    subscribe: bind(place, subscribe),
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
