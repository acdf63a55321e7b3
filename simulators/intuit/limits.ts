import type { Company } from "./companies.ts";

/** Counts recent requests of each company. Kept in memory: a restart forgives. */
export type Throttle = {
  /** Counts a request when the company's budgets allow it. @returns false when it must be answered with 429 */
  admit(request: { company: Company; clientId: string; isBatch: boolean; now: number }): boolean;
  forget(): void;
};

const MINUTE_MS = 60_000;

export function createThrottle(): Throttle {
  const seen = new Map<string, number[]>();
  const recent = (key: string, since: number): number[] => {
    const kept = (seen.get(key) ?? []).filter((at) => at > since);
    seen.set(key, kept);
    return kept;
  };
  return {
    admit: ({ company, clientId, isBatch, now }) => {
      const { perMinute, perSecond, batchPerMinute, batchPerMinuteRealm } = company.limits;
      const all = recent(`${company.realmId}`, now - MINUTE_MS);
      const ofApp = recent(`${company.realmId}/${clientId}`, now - 1000);
      const batches = recent(`${company.realmId}/batch`, now - MINUTE_MS);
      const batchesOfApp = recent(`${company.realmId}/${clientId}/batch`, now - MINUTE_MS);
      const full =
        all.length >= (perMinute ?? Infinity) ||
        ofApp.length >= (perSecond ?? Infinity) ||
        (isBatch &&
          (batches.length >= (batchPerMinuteRealm ?? Infinity) ||
            batchesOfApp.length >= (batchPerMinute ?? Infinity)));
      if (full) return false;
      for (const list of isBatch ? [all, ofApp, batches, batchesOfApp] : [all, ofApp]) list.push(now);
      return true;
    },
    forget: () => seen.clear(),
  };
}
