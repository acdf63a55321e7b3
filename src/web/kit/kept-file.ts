import { draftOf, keptDrafts } from "#web/kit/use-draft.ts";

/** Loaded when a file is chosen or was kept: most visits have none. */
const store = async () => (await import("#web/kit/file-store.ts")).fileStore;

const FILE = "file.";
/** The tab notes the id of its file, and after it the name. */
const ID_LENGTH = 36;

/** Keeps a chosen file for the browser session: over a reload, and over signing in again. Each tab has its own. */
export function keptFileOf(of: string) {
  const draft = draftOf(FILE + of);
  const id = () => draft.get()?.slice(0, ID_LENGTH);
  const forget = async () => {
    const before = id();
    draft.forget();
    if (before) await (await store()).remove(before);
  };
  return {
    keep: async (file: File) => {
      await forget();
      const next = crypto.randomUUID();
      draft.keep(`${next} ${file.name}`);
      await (await store()).put(next, file);
    },
    read: async (): Promise<File | null> => {
      const kept = id();
      return kept ? (await store()).read(kept) : null;
    },
    forget,
  };
}

/** What the kept file of this tab is called, whoever it belongs to; null when none is kept. */
export const keptFileName = (): string | null => keptDrafts(FILE)[0]?.slice(ID_LENGTH + 1) ?? null;

/** Removes every kept file: after signing out the browser may be another user's. */
export async function forgetFiles(): Promise<void> {
  (await store()).removeAll();
}
