import { signInAtUps } from "./sign-in-ups.ts";
import type { Recording } from "./record-company.ts";
import { UPS_PLAYS, type UpsStage } from "./plays-ups.ts";
import { createUpsApi, type UpsTarget } from "./wire-ups.ts";

type Options = {
  target: UpsTarget;
  /** A third party that pays, and a package that UPS shows as delivered; without them their plays say "not tried". */
  more: Pick<UpsStage, "payer" | "delivered">;
  /** Lets the user sign in at an address. @returns the address that the browser came back to */
  visit(address: string): Promise<URL>;
  say(text: string): void;
  /** Called after each play with all that was recorded so far. */
  keep?: (recordings: readonly Recording[]) => Promise<unknown>;
};

/** Plays what we rely on at UPS with an own account in its test environment, where nothing has to be deleted. */
export async function recordUps({ target, more, visit, say, keep }: Options): Promise<Recording[]> {
  const api = createUpsApi(target);
  await signInAtUps(api, target, visit);
  const recordings: Recording[] = [];
  for (const { name, play } of UPS_PLAYS) {
    say(`Playing ${name} …`);
    api.exchanges.length = 0;
    const facts = await play({ api, account: target.account, ...more });
    recordings.push({ name, facts, exchanges: [...api.exchanges] });
    await keep?.(recordings);
  }
  return recordings;
}
