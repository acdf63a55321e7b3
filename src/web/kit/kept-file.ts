import { draftOf, keptDrafts } from "#web/kit/use-draft.ts";

/** Loaded when a file is chosen or was kept: most visits have none. */
const store = async () => (await import("#web/kit/file-store.ts")).fileStore;

const FILE = "file.";
/** The tab notes the id of its file, and after it the name. */
const ID_LENGTH = 36;

/**
 * Keeps a chosen file for the browser session: over a reload, and over signing in again. Each tab has its own. Its name
 * is noted once the file is stored: a page that goes before that, or a browser that stores nothing, promises nothing.
 */
export function keptFileOf(purpose: string, of: string) {
  const draft = draftOf(`${FILE}${purpose}.${of}`);
  const id = () => draft.get()?.slice(0, ID_LENGTH);
  let newest: string | null = null;
  const remove = async () => {
    const before = id();
    draft.forget();
    if (before) await (await store()).remove(before);
  };
  return {
    keep: async (file: File) => {
      const next = crypto.randomUUID();
      newest = next;
      await remove();
      const files = await store();
      const isStored = await files.put(next, file);
      // Meanwhile it was sent, or another one was chosen.
      if (newest !== next) await files.remove(next);
      else if (isStored) draft.keep(`${next} ${file.name}`);
    },
    read: async (): Promise<File | null> => {
      const kept = id();
      return kept ? (await store()).read(kept) : null;
    },
    forget: () => {
      newest = null;
      return remove();
    },
  };
}

/** What the kept file of this tab for something is called, whoever it belongs to; null when none is kept. */
export const keptFileName = (purpose: string): string | null =>
  keptDrafts(`${FILE}${purpose}.`)[0]?.slice(ID_LENGTH + 1) ?? null;

/** Removes every kept file: after signing out the browser may be another user's. */
export async function forgetFiles(): Promise<void> {
  (await store()).removeAll();
}
