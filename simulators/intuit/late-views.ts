import type { Entity } from "./books.ts";

/** What queries go on showing of an invoice until an instant (milliseconds): an earlier state, or nothing. */
export type LateView = { id: string; shown: Entity | null; until: number };

/** Writes that queries do not show yet. They live in memory: after a restart queries show all. */
export type LateViews = {
  add(realmId: string, view: LateView): void;
  /** What queries of a company show at an instant instead of its invoices, by id. */
  of(realmId: string, now: number): ReadonlyMap<string, Entity | null>;
  forget(): void;
};

export function createLateViews(): LateViews {
  const views = new Map<string, LateView[]>();
  return {
    add: (realmId, view) => {
      const known = views.get(realmId);
      if (known) known.push(view);
      else views.set(realmId, [view]);
    },
    of: (realmId, now) => {
      const open = (views.get(realmId) ?? []).filter(({ until }) => until > now);
      views.set(realmId, open);
      // Of several changes the earliest that is still hidden says what was there.
      return new Map(open.toReversed().map(({ id, shown }) => [id, shown]));
    },
    forget: () => views.clear(),
  };
}
