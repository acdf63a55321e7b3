/** Events of the recorder's format that start a replay: the page's address and size, followed by all of its content. */
const META = 4;

export type RecordedEvent = { type: number; timestamp: number; data: unknown };

/** Events kept at most; the specification's number. A busy page makes them in some minutes. */
export const WINDOW_EVENTS = 1_000;

/** Keeps the latest events of a recording in memory: the next one beyond the limit drops the oldest. */
export function createEventWindow(limit = WINDOW_EVENTS) {
  let events: RecordedEvent[] = [];
  return {
    add(event: RecordedEvent): void {
      events.push(event);
      if (events.length > limit) events.shift();
    },
    get size(): number {
      return events.length;
    },
    /** Empties the window. @returns its events from the first that can be replayed; none if there isn't one */
    take(): readonly RecordedEvent[] {
      const first = events.findIndex(({ type }) => type === META);
      const taken = first < 0 ? [] : events.slice(first);
      events = [];
      return taken;
    },
  };
}
