import type { Entity, Kind } from "./books.ts";

/** State of an invoice or a file that queries show until a time (milliseconds): an earlier one, or none. */
export type LateView = { kind: Kind; id: string; shown: Entity | null; until: number };

/** Writes that queries do not show yet, in memory: after a restart queries show everything. */
export type LateViews = {
  add(realmId: string, view: LateView): void;
  /** Returns the objects of a kind, by id, that queries of a company show at a time in place of the current ones. */
  of(realmId: string, kind: Kind, now: number): ReadonlyMap<string, Entity | null>;
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
    of: (realmId, kind, now) => {
      const open = (views.get(realmId) ?? []).filter(({ until }) => until > now);
      views.set(realmId, open);
      // The earliest hidden change has the visible state.
      const ofKind = open.filter((view) => view.kind === kind);
      return new Map(ofKind.toReversed().map(({ id, shown }) => [id, shown]));
    },
    forget: () => views.clear(),
  };
}
