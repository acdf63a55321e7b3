import type * as z from "zod";
import type { Clock } from "#platform/clock.ts";
import type { Log } from "#platform/log.ts";
import type { OutboundFetch } from "#platform/outbound/allowed-hosts.ts";
import type { Budget, LeaseKind } from "#platform/outbound/budget.ts";
import type { Meter } from "#platform/outbound/meter.ts";
import type { IntuitConfig } from "#integrations/intuit/config.ts";
import { IntuitError } from "#integrations/intuit/errors.ts";
import { planRetry, type Tried } from "#integrations/intuit/plan-retry.ts";
import type { VendorClock } from "#integrations/intuit/vendor-clock.ts";
import { exchange, type Answer, type Call } from "#integrations/intuit/exchange.ts";

/** Provides access tokens of connected companies; the owner stores and renews them. */
export type TokenSource = {
  current(realmId: string): Promise<string>;
  /** Returns a token other than the rejected one; renews it unless another process has. */
  renew(realmId: string, rejectedAccessToken: string): Promise<string>;
};

export type BooksDeps = {
  config: Pick<IntuitConfig, "apiBaseUrl" | "timeoutsMs">;
  fetch: OutboundFetch;
  tokens: TokenSource;
  budget: Budget;
  /** Counts reads: Intuit meters them by the month, and writes not. */
  reads: Meter;
  clock: Clock;
  log: Log;
};

type CallDeps = BooksDeps & { vendorClock: VendorClock };

/** An operation as described by its file. */
type Operation = Omit<Call, "timeoutMs"> & { kind?: LeaseKind; beforeSend?: () => Promise<void> };

/** Sends an operation to one company's books. */
export type CallRealm = <S extends z.ZodType>(
  operation: Operation,
  schema: S,
) => Promise<Answer<z.output<S>>>;

/**
 * Binds calls to a company: its budget, its access token, timeouts, and harmless retries (see `planRetry`).
 */
export function createCallRealm(deps: CallDeps, realmId: string): CallRealm {
  const { tokens, budget, clock, log } = deps;
  const key = `intuit ${realmId}`;
  return async (operation, schema) => {
    const tried: Tried = { renew: 0, pause: 0, wait: 0 };
    let accessToken = await tokens.current(realmId);
    for (;;) {
      try {
        return await attempt(deps, { realmId, accessToken, key, operation }, schema);
      } catch (error) {
        const retry = error instanceof IntuitError ? planRetry(error, tried, operation) : null;
        if (!(error instanceof IntuitError) || !retry) throw error;
        tried[retry.kind] += 1;
        const { kind, tid } = error;
        const about = { realm: realmId, path: operation.path, kind, tid, retry: retry.kind };
        log.warn(about, "A call to Intuit failed and is retried");
        if (retry.kind === "renew") accessToken = await tokens.renew(realmId, accessToken);
        else if (retry.kind === "wait") await clock.sleep(retry.ms);
        else await budget.pause(key, clock.now().getTime() + retry.seconds * 1000);
      }
    }
  };
}

type Attempt = { realmId: string; accessToken: string; key: string; operation: Operation };

/** Makes one call under one lease of the company's budget. */
async function attempt<S extends z.ZodType>(
  { fetch, config, budget, reads, log, vendorClock }: CallDeps,
  { realmId, accessToken, key, operation }: Attempt,
  schema: S,
): Promise<Answer<z.output<S>>> {
  const { kind = "request", beforeSend, ...call } = operation;
  const timeoutMs = config.timeoutsMs[call.write ? "write" : "read"];
  const lease = await budget.acquire(key, kind);
  try {
    await beforeSend?.();
    if (!call.write) await reads.count();
    const sent = vendorClock.read();
    const onAnswer = (date: string | null) => vendorClock.note(date, sent);
    const place = { fetch, apiBaseUrl: config.apiBaseUrl, realmId, accessToken, onAnswer };
    return await exchange(place, { ...call, timeoutMs }, schema);
  } finally {
    // A response from Intuit must not be lost because a lease cannot be released; it expires by itself.
    await budget
      .release(lease)
      .catch((error: unknown) =>
        log.warn({ err: error, key }, "A lease of the call budget could not be given back"),
      );
  }
}
