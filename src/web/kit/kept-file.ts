import type { SessionCompany } from "#features/identity/contract.ts";
import { useSession } from "#web/kit/session/session.ts";
import { useEffect, useState } from "react";
import { openDraft, keptDrafts } from "#web/kit/use-draft.ts";

/**
 * Keeps the chosen file for a purpose and company until it is sent, across reloads and the end of the
 * session.
 */
export function useKeptFile(
  purpose: string,
  company: SessionCompany | null,
): [File | null, (file: File | null) => void] {
  const { email } = useSession();
  const [file, setFile] = useState<File | null>(null);
  const [kept] = useState(() => openKeptFile(purpose, `${email}.${company?.id ?? ""}`));
  useEffect(() => {
    // A file chosen meanwhile takes precedence.
    kept.read().then((found) => setFile((chosen) => chosen ?? found), notKept);
  }, [kept]);
  const choose = (chosen: File | null) => {
    setFile(chosen);
    (chosen ? kept.keep(chosen) : kept.forget()).catch(notKept);
  };
  return [file, choose];
}

/** Offline, the code of the store may fail to load: the file is then only on this page. */
const notKept = () => undefined;

/** Loaded when a file is chosen or was kept; most visits have none. */
const store = async () => (await import("#web/kit/file-store.ts")).fileStore;

const FILE = "file.";
/** Length of the file's id in the tab's entry, which is followed by the name. */
const ID_LENGTH = 36;

/**
 * Keeps a chosen file for the browser session, across reloads and sign-ins. Each tab has its own. Stores its
 * name only after the file, so that a page left before that, or a browser without storage, claims no kept
 * file.
 */
function openKeptFile(purpose: string, of: string) {
  const draft = openDraft(`${FILE}${purpose}.${of}`);
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
      // It was sent meanwhile, or another one was chosen.
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

/** Name of the file this tab keeps for a purpose, for any user and company; null if none. */
export const keptFileName = (purpose: string): string | null =>
  keptDrafts(`${FILE}${purpose}.`)[0]?.slice(ID_LENGTH + 1) ?? null;

/** Removes every kept file, because another user may use the browser after a sign-out. */
export async function forgetFiles(): Promise<void> {
  (await store()).removeAll();
}
