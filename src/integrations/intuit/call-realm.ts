import type * as z from "zod";
import type { Clock } from "#platform/clock.ts";
import type { Log } from "#platform/log.ts";
import type { OutboundFetch } from "#platform/outbound/allowed-hosts.ts";
import type { Budget, Lease, LeaseKind } from "#platform/outbound/budget.ts";
import type { IntuitConfig } from "#integrations/intuit/config.ts";
import { IntuitError } from "#integrations/intuit/errors.ts";
import { countRetry, planRetry, type Retry, type Tried } from "#integrations/intuit/plan-retry.ts";
import { exchange, type Answer, type Call } from "#integrations/intuit/exchange.ts";

/** Gives access tokens of connected companies; keeping and renewing them is the owner's matter. */
export type TokenSource = {
  current(realmId: string): Promise<string>;
  /** A token other than the rejected one; renews only if nobody else has. */
  renew(realmId: string, rejectedAccessToken: string): Promise<string>;
};

export type BooksDeps = {
  config: Pick<IntuitConfig, "apiBaseUrl" | "timeoutsMs">;
  fetch: OutboundFetch;
  tokens: TokenSource;
  budget: Budget;
  clock: Clock;
  log: Log;
};

/** An operation as its file describes it. */
export type Operation = Omit<Call, "timeoutMs"> & {
  kind?: LeaseKind;
  beforeSend?: (() => Promise<void>) | undefined;
};

/** Sends an operation to one company's books. */
export type CallRealm = <S extends z.ZodType>(
  operation: Operation,
  schema: S,
) => Promise<Answer<z.output<S>>>;

/** Binds calls to a company: its budget, its access token, time-outs, and retries that do no harm (see `planRetry`). */
export function createCallRealm(deps: BooksDeps, realmId: string): CallRealm {
  return async (operation, schema) => {
    let tried: Tried = { failures: 0, throttled: 0, renewed: false };
    let accessToken = await deps.tokens.current(realmId);
    for (;;) {
      try {
        return await attempt(deps, { realmId, accessToken, operation }, schema);
      } catch (error) {
        const retry = error instanceof IntuitError ? planRetry(error, tried, operation) : null;
        if (!(error instanceof IntuitError) || !retry) throw error;
        tried = countRetry(tried, retry);
        const about = {
          realm: realmId,
          path: operation.path,
          kind: error.kind,
          tid: error.tid,
          retry: retry.kind,
        };
        deps.log.warn(about, "A call to Intuit failed and is made again");
        accessToken = await prepare(deps, { retry, realmId, accessToken, signal: operation.signal });
      }
    }
  };
}

type Attempt = { realmId: string; accessToken: string; operation: Operation };

/** One exchange under one lease of the company's budget. */
async function attempt<S extends z.ZodType>(
  deps: BooksDeps,
  { realmId, accessToken, operation }: Attempt,
  schema: S,
): Promise<Answer<z.output<S>>> {
  const { kind = "request", beforeSend, ...call } = operation;
  const { fetch, config } = deps;
  const timeoutMs = config.timeoutsMs[call.write ? "write" : "read"];
  const lease = await deps.budget.acquire(budgetKey(realmId), kind, call.signal);
  try {
    await beforeSend?.();
    return await exchange(
      { fetch, apiBaseUrl: config.apiBaseUrl, realmId, accessToken },
      { ...call, timeoutMs },
      schema,
    );
  } finally {
    await giveBack(deps, lease);
  }
}

const budgetKey = (realmId: string) => `intuit ${realmId}`;

/** An answer of Intuit must not be lost to a lease that cannot be given back; it ends by itself. */
async function giveBack({ budget, log }: BooksDeps, lease: Lease): Promise<void> {
  try {
    await budget.release(lease);
  } catch (error) {
    log.warn({ err: error, key: lease.key }, "A lease of the call budget could not be given back");
  }
}

type Preparing = {
  retry: NonNullable<Retry>;
  realmId: string;
  accessToken: string;
  signal: AbortSignal | undefined;
};

/** Waits or renews as planned. @returns the access token of the next attempt */
async function prepare(deps: BooksDeps, { retry, realmId, accessToken, signal }: Preparing): Promise<string> {
  if (retry.kind === "renew") return deps.tokens.renew(realmId, accessToken);
  if (retry.kind === "wait") await deps.clock.sleep(retry.ms, signal);
  else await deps.budget.pause(budgetKey(realmId), deps.clock.now().getTime() + retry.seconds * 1000);
  return accessToken;
}
