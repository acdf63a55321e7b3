import type { Clock } from "#platform/clock.ts";
import type { Ids } from "#platform/ids.ts";
import type { OutboundFetch } from "#platform/outbound/allowed-hosts.ts";
import { checkAccount } from "#integrations/ups/check-account.ts";
import type { UpsConfig } from "#integrations/ups/config.ts";
import { createUpsSignIn } from "#integrations/ups/sign-in.ts";

type Deps = { fetch: OutboundFetch; clock: Clock; ids: Ids };

/** Every call of ours to UPS. */
export function createUps(config: UpsConfig, deps: Deps) {
  const place = { ...deps, baseUrl: config.baseUrl };
  return {
    ...createUpsSignIn(config, place),
    checkAccount: (accessToken: string, account: string) => checkAccount(place, accessToken, account),
  };
}

export type Ups = ReturnType<typeof createUps>;
