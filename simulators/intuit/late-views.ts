import type { Entity } from "./books.ts";

/** The state of an invoice that queries keep showing until an instant (milliseconds): an earlier one, or none. */
export type LateView = { id: string; shown: Entity | null; until: number };

/** Writes that queries do not show yet. They live in memory: after a restart queries show all. */
export type LateViews = {
  add(realmId: string, view: LateView): void;
  /** The invoices, by id, that queries of a company show at an instant in place of the current ones. */
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
      // The earliest hidden change holds the visible state.
      return new Map(open.toReversed().map(({ id, shown }) => [id, shown]));
    },
    forget: () => views.clear(),
  };
}
