import { draftOf, keptDrafts } from "#web/kit/use-draft.ts";

const DATABASE = "dockside-files";
const STORE = "files";
/** A tab that was closed leaves its file behind; the next one removes it by then. */
const MAX_AGE_MS = 24 * 60 * 60 * 1_000;

type Entry = { id: string; file: File; keptAt: number };
type Note = { id: string; name: string };

/**
 * Keeps a chosen file for the browser session: over a reload, and over signing in again. The tab notes which file is its own,
 * so that another tab has another. Where storage is blocked nothing is kept.
 */
export function keptFileOf(name: string) {
  const draft = draftOf(FILE + name);
  return {
    keep: async (file: File) => {
      const id = crypto.randomUUID();
      const before = noteIn(draft.get());
      draft.keep(JSON.stringify({ id, name: file.name } satisfies Note));
      await inStore("readwrite", (store) => {
        if (before) store.delete(before.id);
        return store.put({ id, file, keptAt: Date.now() } satisfies Entry);
      });
    },
    read: async (): Promise<File | null> => {
      const note = noteIn(draft.get());
      if (!note) return null;
      await removeOld();
      const entry = await inStore<Entry | undefined>("readonly", (store) => store.get(note.id));
      return entry?.file ?? null;
    },
    forget: () => {
      const note = noteIn(draft.get());
      draft.forget();
      if (note) void inStore("readwrite", (store) => store.delete(note.id));
    },
  };
}

const FILE = "file.";

/** What the kept file of this tab is called, whoever it belongs to; null when none is kept. */
export function keptFileName(): string | null {
  const [json = null] = keptDrafts(FILE);
  return noteIn(json)?.name ?? null;
}

/** Removes every kept file: after signing out the browser may be another user's. */
export function forgetFiles(): void {
  if (typeof indexedDB !== "undefined") indexedDB.deleteDatabase(DATABASE);
}

function noteIn(json: string | null): Note | null {
  if (json === null) return null;
  try {
    const note = JSON.parse(json) as Partial<Note>;
    return typeof note.id === "string" && typeof note.name === "string"
      ? { id: note.id, name: note.name }
      : null;
  } catch {
    return null;
  }
}

function removeOld() {
  return inStore("readwrite", (store) => {
    const walk = store.openCursor();
    walk.addEventListener("success", () => {
      const cursor = walk.result;
      if (!cursor) return;
      if ((cursor.value as Entry).keptAt < Date.now() - MAX_AGE_MS) cursor.delete();
      cursor.continue();
    });
    return walk;
  });
}

/** Does one thing in the store of files. @returns its result; undefined where storage is blocked */
async function inStore<Result>(
  mode: IDBTransactionMode,
  act: (store: IDBObjectStore) => IDBRequest,
): Promise<Result | undefined> {
  try {
    const database = await opened();
    try {
      const transaction = database.transaction(STORE, mode);
      const request = act(transaction.objectStore(STORE));
      await new Promise<void>((resolve, reject) => {
        transaction.addEventListener("complete", () => resolve());
        transaction.addEventListener("abort", () => reject(transaction.error ?? new Error("Aborted.")));
      });
      return request.result as Result;
    } finally {
      database.close();
    }
  } catch {
    return undefined;
  }
}

function opened(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(DATABASE, 1);
    request.addEventListener("upgradeneeded", () =>
      request.result.createObjectStore(STORE, { keyPath: "id" }),
    );
    request.addEventListener("success", () => resolve(request.result));
    request.addEventListener("error", () => reject(request.error ?? new Error("Not opened.")));
    request.addEventListener("blocked", () => reject(new Error("Blocked.")));
  });
}
