/** Limits of a realm; null disables one. */
export type CompanyLimits = {
  perMinute: number | null;
  perSecond: number | null;
  /** Batches of one app. */
  batchPerMinute: number | null;
  /** Batches of all apps. */
  batchPerMinuteRealm: number | null;
  /** Concurrent requests of one app. */
  atOnce: number | null;
  /** Body of a 429. */
  answer: "json" | "xml";
  /** Format of Retry-After in a 429; null for none, because Intuit does not promise it. */
  retryAfter: "seconds" | "date" | null;
};

/** Counts recent requests of each company, in memory: a restart clears them. */
export type Throttle = {
  /**
   * Counts a request if the company's limits allow it; it is running until `leave`.
   * @returns 0, or for a request to answer with 429 the milliseconds until the next one is allowed
   */
  admit(request: Caller & { isBatch: boolean; now: number }): number;
  leave(caller: Caller): void;
  forget(): void;
};

type Caller = { company: { realmId: string; limits: CompanyLimits }; clientId: string };

const MINUTE_MS = 60_000;
/** Estimate of when a running request will end. */
const WHEN_CROWDED_MS = 1000;

export function createThrottle(): Throttle {
  const seen = new Map<string, number[]>();
  const running = new Map<string, number>();
  const recent = (key: string, since: number): number[] => {
    const kept = (seen.get(key) ?? []).filter((at) => at > since);
    seen.set(key, kept);
    return kept;
  };
  return {
    admit: ({ company, clientId, isBatch, now }) => {
      const { perMinute, perSecond, batchPerMinute, batchPerMinuteRealm, atOnce } = company.limits;
      const { realmId } = company;
      const app = `${realmId}/${clientId}`;
      const runs = running.get(app) ?? 0;
      const windows: Window[] = [
        { key: realmId, most: perMinute, ms: MINUTE_MS },
        { key: app, most: perSecond, ms: 1000 },
      ];
      if (isBatch) {
        windows.push({ key: `${realmId}/batch`, most: batchPerMinuteRealm, ms: MINUTE_MS });
        windows.push({ key: `${app}/batch`, most: batchPerMinute, ms: MINUTE_MS });
      }
      const lists = windows.map(({ key, ms }) => recent(key, now - ms));
      const waits = windows.map((window, index) => untilRoom(lists[index] ?? [], window, now));
      const wait = Math.max(...waits, runs >= (atOnce ?? Infinity) ? WHEN_CROWDED_MS : 0);
      if (wait > 0) return wait;
      for (const list of lists) list.push(now);
      running.set(app, runs + 1);
      return 0;
    },
    leave: ({ company, clientId }) => {
      const app = `${company.realmId}/${clientId}`;
      running.set(app, Math.max((running.get(app) ?? 0) - 1, 0));
    },
    forget: () => {
      seen.clear();
      running.clear();
    },
  };
}

type Window = { key: string; most: number | null; ms: number };

/** Milliseconds until the window has space again; 0 if it has space now. */
function untilRoom(seen: readonly number[], { most, ms }: Window, now: number): number {
  if (most === null || seen.length < most) return 0;
  return (seen[seen.length - most] ?? now) + ms - now;
}
