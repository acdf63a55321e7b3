import type * as z from "zod";
import type { Clock } from "#platform/clock.ts";
import type { Log } from "#platform/log.ts";
import type { OutboundFetch } from "#platform/outbound/allowed-hosts.ts";
import type { Budget, Lease, LeaseKind } from "#platform/outbound/budget.ts";
import type { IntuitConfig } from "#integrations/intuit/config.ts";
import { IntuitError } from "#integrations/intuit/errors.ts";
import { exchange, type Answer, type Call } from "#integrations/intuit/exchange.ts";

/** Gives access tokens of connected companies; keeping and renewing them is the owner's matter. */
export type TokenSource = {
  current(realmId: string): Promise<string>;
  /** A token other than the rejected one; renews only if nobody else has. */
  renew(realmId: string, rejectedAccessToken: string): Promise<string>;
};

export type BooksDeps = {
  config: Pick<IntuitConfig, "apiBaseUrl">;
  fetch: OutboundFetch;
  tokens: TokenSource;
  budget: Budget;
  clock: Clock;
  log: Log;
  /** Longest time of one exchange, in milliseconds; by default 30 s and 120 s, Intuit's own limit. */
  timeoutsMs?: Record<LeaseKind, number>;
};

/** An operation as its file describes it. */
export type Operation = Omit<Call, "timeoutMs"> & { kind?: LeaseKind };

/** Sends an operation to one company's books. */
export type CallRealm = <S extends z.ZodType>(
  operation: Operation,
  schema: S,
) => Promise<Answer<z.output<S>>>;

const TIMEOUTS_MS = { request: 30_000, batch: 120_000 };
const SERVER_WAITS_MS = [1_000, 4_000, 15_000];
const THROTTLE_PAUSE_S = 60;
const THROTTLE_RETRIES = { read: 1, write: 5 };

type Retries = { failures: number; throttled: number; renewed: boolean };

/**
 * Binds calls to a company: budget, access token, time-out, and the retries that are certain to do no harm:
 * a refused token is renewed once; a throttled call waits for the pause; a failed read or a request that was surely not
 * sent is repeated after 1, 4 and 15 s. A write that may have been done is never repeated here.
 */
export function createCallRealm(deps: BooksDeps, realmId: string): CallRealm {
  const budgetKey = `intuit ${realmId}`;

  return async (operation, schema) => {
    const { kind = "request", ...call } = operation;
    const timeoutMs = (deps.timeoutsMs ?? TIMEOUTS_MS)[kind];
    const retries: Retries = { failures: 0, throttled: 0, renewed: false };
    let accessToken = await deps.tokens.current(realmId);
    for (;;) {
      const failure = await attempt({ ...call, timeoutMs }, { kind, schema, accessToken });
      if (!("error" in failure)) return failure;
      accessToken = await prepareRetry({ error: failure.error, call: operation, retries, accessToken });
    }
  };

  async function attempt<S extends z.ZodType>(
    call: Call,
    { kind, schema, accessToken }: { kind: LeaseKind; schema: S; accessToken: string },
  ): Promise<Answer<z.output<S>> | { error: IntuitError }> {
    const lease = await deps.budget.acquire(budgetKey, kind, call.signal);
    try {
      const { fetch, config } = deps;
      return await exchange({ fetch, apiBaseUrl: config.apiBaseUrl, realmId, accessToken }, call, schema);
    } catch (error) {
      if (error instanceof IntuitError) return { error };
      throw error;
    } finally {
      await giveBack(lease);
    }
  }

  /** An answer of Intuit must not be lost to a lease that cannot be given back; it ends by itself. */
  async function giveBack(lease: Lease): Promise<void> {
    try {
      await deps.budget.release(lease);
    } catch (error) {
      deps.log.warn({ err: error, realm: realmId }, "A lease of the call budget could not be given back");
    }
  }

  /** Waits as the failure asks for and returns the token of the next attempt, or throws the failure. */
  async function prepareRetry(failed: {
    error: IntuitError;
    call: Operation;
    retries: Retries;
    accessToken: string;
  }): Promise<string> {
    const { error, call, retries, accessToken } = failed;
    const wait = { realm: realmId, path: call.path, kind: error.kind, tid: error.tid };
    if (error.http === 401 && error.kind === "auth" && !retries.renewed) {
      retries.renewed = true;
      deps.log.info(wait, "Access token refused, renewing it");
      return deps.tokens.renew(realmId, accessToken);
    }
    if (error.kind === "throttled" && retries.throttled < THROTTLE_RETRIES[call.write ? "write" : "read"]) {
      retries.throttled += 1;
      const seconds = Math.max(error.retryAfterSeconds ?? THROTTLE_PAUSE_S, 1);
      deps.log.warn({ ...wait, seconds }, "Intuit asks for a pause");
      await deps.budget.pause(budgetKey, deps.clock.now().getTime() + seconds * 1000);
      return accessToken;
    }
    const waitMs = SERVER_WAITS_MS[retries.failures];
    if (!isHarmlessToRepeat(error, call) || waitMs === undefined) throw error;
    retries.failures += 1;
    deps.log.warn(wait, "Call to Intuit failed, trying again");
    await deps.clock.sleep(waitMs * (0.75 + Math.random() / 2), call.signal);
    return accessToken;
  }
}

/** For a write, `network` means that it was surely not sent, and everything unsure is `uncertain`. */
function isHarmlessToRepeat(error: IntuitError, call: Operation): boolean {
  return error.kind === "network" || (error.kind === "system" && !call.write);
}
