import { toAnswer, create, findInvoice, type Facts, type Stage } from "./plays.ts";
import { unique, type Api } from "./wire.ts";

/** Needs of the plays that take a day or end the authorization. */
export type LongStage = Stage & {
  wait(ms: number): Promise<unknown>;
  /** Lets another user connect the same company. @returns a client with that user's tokens */
  connectAgain(): Promise<Api>;
  /** Lets the user connect another company. What plays make there is deleted too. */
  connectOther(): Promise<Stage>;
};

export type LongPlay = { name: string; play(stage: LongStage): Promise<Facts> };

const HOUR_MS = 3_600_000;
/** Intuit changes a refresh token about once in 24 hours, 26 at most. */
const ROTATED_AFTER_MS = 27 * HOUR_MS;

/** Played while invoices can still be deleted. */
export const requestIdKept: LongPlay = {
  name: "request-id-kept",
  play: async (stage) => {
    const id = unique();
    const first = findInvoice(await create(stage, {}, id))?.Id;
    const facts: Record<string, string | boolean> = {};
    let waited = 0;
    for (const hours of [1, 6, 24]) {
      await stage.wait((hours - waited) * HOUR_MS);
      waited = hours;
      await renew(stage.api);
      const again = await create(stage, {}, id);
      facts[`repeated after ${hours} h`] = toAnswer(again);
      facts[`after ${hours} h it is the same invoice`] = findInvoice(again)?.Id === first;
    }
    return facts;
  },
};

/** Played last, one after the other: each may end an authorization. */
export const ENDINGS: readonly LongPlay[] = [
  {
    name: "second-user",
    play: async ({ api, connectAgain }) => {
      const second = await connectAgain();
      const together = [await isGood(api), await isGood(second)];
      const revoked = await second.revoke();
      return {
        "both users' tokens are good": together.every(Boolean),
        revoked: revoked.status,
        "the second user's access token after their revocation": await isGood(second),
        "the first user's access token after it": await isGood(api),
        "the first user's refresh token after it": (await api.refresh()).status === 200,
      };
    },
  },
  {
    name: "stale-refresh-token",
    play: async ({ api, wait }) => {
      const stale = api.tokens.refresh;
      await wait(ROTATED_AFTER_MS);
      const renewed = await renew(api);
      const answer = await api.refresh(stale);
      return {
        renewed,
        "the refresh token is another after a day": api.tokens.refresh !== stale,
        "the one before": answer.status === 200 ? "taken" : String(answer.json["error"]),
        "the new access token after it": await isGood(api),
        "the new refresh token after it": (await api.refresh()).status === 200,
      };
    },
  },
];

/** Gets another pair of tokens and uses it from then on. @returns the status of the answer */
async function renew(api: Api): Promise<number> {
  const { status, json } = await api.refresh();
  if (status !== 200) return status;
  api.tokens.access = String(json["access_token"]);
  api.tokens.refresh = String(json["refresh_token"]);
  return status;
}

const isGood = async (api: Api) => (await api.call("GET", "/preferences")).status === 200;
