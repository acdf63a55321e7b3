import type { DatabaseSync } from "node:sqlite";

export const KINDS = [
  "Invoice",
  "Customer",
  "Item",
  "Term",
  "Class",
  "Department",
  "TaxCode",
  "Attachable",
] as const;
export type Kind = (typeof KINDS)[number];

/** A QuickBooks object as sent. */
export type Entity = {
  Id: string;
  SyncToken: string;
  MetaData: { CreateTime: string; LastUpdatedTime: string };
  [property: string]: unknown;
};

export type Deleted = { id: string; deletedAt: string };

/** The books of all companies: stored in SQLite, read from memory. */
export type Books = {
  get(realmId: string, kind: Kind, id: string): Entity | undefined;
  /** Lists all of a kind, in order of creation. */
  list(realmId: string, kind: Kind): Entity[];
  put(realmId: string, kind: Kind, entity: Entity): void;
  remove(realmId: string, removal: { kind: Kind; id: string; at: string }): void;
  deleted(realmId: string, kind: Kind): Deleted[];
  /** Finds entities of a kind by `DocNumber` for invoices, else by name, ignoring case. */
  named(realmId: string, kind: Kind, name: string): Entity[];
  /** Finds all of a kind created at or after a time (milliseconds), in order of creation. */
  madeSince(realmId: string, kind: Kind, since: number): Entity[];
  nextId(realmId: string, sequence: string, first?: bigint): string;
  /** Clears the memory after a rolled back transaction or a reset. */
  forget(): void;
};

type Shelf = { entities: Map<string, Entity>; names: Map<string, Set<string>>; madeAt: Map<string, number> };

export function openBooks(db: DatabaseSync): Books {
  const shelves = new Map<string, Shelf>();
  const shelf = (realmId: string, kind: Kind): Shelf => {
    const key = `${realmId}/${kind}`;
    const known = shelves.get(key);
    if (known) return known;
    const loaded = loadShelf(db, realmId, kind);
    shelves.set(key, loaded);
    return loaded;
  };
  return {
    get: (realmId, kind, id) => shelf(realmId, kind).entities.get(id),
    list: (realmId, kind) => [...shelf(realmId, kind).entities.values()],
    named: (realmId, kind, name) => {
      const { entities, names } = shelf(realmId, kind);
      return [...(names.get(name.toLowerCase()) ?? [])].flatMap((id) => entities.get(id) ?? []);
    },
    madeSince: (realmId, kind, since) => {
      const { entities, madeAt } = shelf(realmId, kind);
      const ids = [...madeAt].flatMap(([id, at]) => (at >= since ? [id] : []));
      return ids.flatMap((id) => entities.get(id) ?? []);
    },
    put: (realmId, kind, entity) => {
      const target = shelf(realmId, kind);
      unindex(target, kind, target.entities.get(entity.Id));
      target.entities.set(entity.Id, entity);
      index(target, kind, entity);
      db.prepare(
        `INSERT INTO entity (realm_id, kind, id, doc) VALUES (?, ?, ?, ?)
         ON CONFLICT (realm_id, kind, id) DO UPDATE SET doc = excluded.doc`,
      ).run(realmId, kind, entity.Id, JSON.stringify(entity));
    },
    remove: (realmId, { kind, id, at }) => {
      const target = shelf(realmId, kind);
      unindex(target, kind, target.entities.get(id));
      target.entities.delete(id);
      target.madeAt.delete(id);
      db.prepare("DELETE FROM entity WHERE realm_id = ? AND kind = ? AND id = ?").run(realmId, kind, id);
      db.prepare(
        "INSERT OR REPLACE INTO deleted_entity (realm_id, kind, id, deleted_at) VALUES (?, ?, ?, ?)",
      ).run(realmId, kind, id, at);
    },
    deleted: (realmId, kind) =>
      db
        .prepare("SELECT id, deleted_at FROM deleted_entity WHERE realm_id = ? AND kind = ?")
        .all(realmId, kind)
        .map((row) => ({ id: String(row["id"]), deletedAt: String(row["deleted_at"]) })),
    nextId: (realmId, sequence, first = 1n) => nextInSequence(db, { realmId, sequence, first }),
    forget: () => shelves.clear(),
  };
}

type Sequence = { realmId: string; sequence: string; first: bigint };

function nextInSequence(db: DatabaseSync, { realmId, sequence, first }: Sequence): string {
  const row = db.prepare("SELECT last FROM sequence WHERE realm_id = ? AND name = ?").get(realmId, sequence);
  const next = String(row ? BigInt(String(row["last"])) + 1n : first);
  db.prepare("INSERT OR REPLACE INTO sequence (realm_id, name, last) VALUES (?, ?, ?)").run(
    realmId,
    sequence,
    next,
  );
  return next;
}

function loadShelf(db: DatabaseSync, realmId: string, kind: Kind): Shelf {
  const loaded: Shelf = { entities: new Map(), names: new Map(), madeAt: new Map() };
  const rows = db
    .prepare("SELECT doc FROM entity WHERE realm_id = ? AND kind = ? ORDER BY CAST(id AS INTEGER)")
    .all(realmId, kind);
  for (const row of rows) {
    const entity = JSON.parse(String(row["doc"])) as Entity;
    loaded.entities.set(entity.Id, entity);
    index(loaded, kind, entity);
  }
  return loaded;
}

/** Property by which `named` finds an entity. */
export const NAME_PROPERTY: Record<Kind, string> = {
  Invoice: "DocNumber",
  Customer: "DisplayName",
  Item: "FullyQualifiedName",
  Term: "Name",
  Class: "FullyQualifiedName",
  Department: "FullyQualifiedName",
  TaxCode: "Name",
  Attachable: "FileName",
};

function index(shelf: Shelf, kind: Kind, entity: Entity): void {
  shelf.madeAt.set(entity.Id, Date.parse(entity.MetaData.CreateTime));
  const name = entity[NAME_PROPERTY[kind]];
  if (typeof name !== "string") return;
  const ids = shelf.names.get(name.toLowerCase()) ?? new Set();
  shelf.names.set(name.toLowerCase(), ids.add(entity.Id));
}

function unindex(shelf: Shelf, kind: Kind, entity: Entity | undefined): void {
  const name = entity?.[NAME_PROPERTY[kind]];
  if (entity && typeof name === "string") shelf.names.get(name.toLowerCase())?.delete(entity.Id);
}
