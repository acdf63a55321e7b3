const DATABASE = "dockside-files";
const STORE = "files";
/** A closed tab leaves its file behind; later tabs remove files older than this. */
const MAX_AGE_MS = 24 * 60 * 60 * 1_000;

type Entry = { id: string; file: File; keptAt: number };

/** The browser's file storage. If storage is blocked, it stores nothing and throws nothing. */
export const fileStore = {
  /** @returns whether it is stored */
  put: async (id: string, file: File): Promise<boolean> => {
    const entry = { id, file, keptAt: Date.now() } satisfies Entry;
    return (await inStore("readwrite", (store) => store.put(entry))) !== undefined;
  },
  read: async (id: string): Promise<File | null> => {
    await inStore("readwrite", removeOld);
    return (await inStore<Entry | undefined>("readonly", (store) => store.get(id)))?.file ?? null;
  },
  remove: (id: string) => inStore("readwrite", (store) => store.delete(id)),
  removeAll: () => void globalThis.indexedDB?.deleteDatabase(DATABASE),
};

function removeOld(store: IDBObjectStore): IDBRequest {
  const walk = store.openCursor();
  walk.onsuccess = () => {
    const cursor = walk.result;
    if (!cursor) return;
    if ((cursor.value as Entry).keptAt < Date.now() - MAX_AGE_MS) cursor.delete();
    cursor.continue();
  };
  return walk;
}

/** Runs one request in a transaction. @returns its result; undefined if storage is blocked */
async function inStore<Result>(
  mode: IDBTransactionMode,
  act: (store: IDBObjectStore) => IDBRequest,
): Promise<Result | undefined> {
  try {
    const database = await openDatabase();
    try {
      const transaction = database.transaction(STORE, mode);
      const request = act(transaction.objectStore(STORE));
      await new Promise<void>((resolve, reject) => {
        transaction.oncomplete = () => resolve();
        transaction.onabort = () => reject(transaction.error ?? new Error("Aborted."));
      });
      return request.result as Result;
    } finally {
      database.close();
    }
  } catch {
    return undefined;
  }
}

function openDatabase(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(DATABASE, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: "id" });
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error("Not opened."));
    request.onblocked = () => reject(new Error("Blocked."));
  });
}
