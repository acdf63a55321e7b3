import { useSession } from "#web/kit/session/session.ts";
import { sessionStore } from "#web/kit/storage.ts";
import { useRef, useState } from "react";

const PREFIX = "draft:";

/**
 * Keeps typed text for the browser session, across the end of the session and a new sign-in. If storage is
 * blocked, only the page keeps it. Until something is typed it equals `initial`. @returns the text, its
 * setter, and a function that forgets it
 */
export function useDraft(name: string, initial = ""): [string, (text: string) => void, () => void] {
  const kept = openDraft(name);
  const [typed, setText] = useState(kept.get);
  const change = (next: string) => {
    setText(next);
    kept.keep(next);
  };
  const forget = () => {
    setText(null);
    kept.forget();
  };
  return [typed ?? initial, change, forget];
}

/** The same without React state: stored, read and removed manually. */
export const openDraft = (name: string) => ({
  get: () => sessionStore.get(PREFIX + name),
  keep: (text: string) => void sessionStore.set(PREFIX + name, text),
  forget: () => sessionStore.remove(PREFIX + name),
});

/** Unsaved changes of a user to a company's settings, kept for the browser session, so that they survive a sign-out. */
export function useChanges<Edited extends object>(about: string, realmId: string) {
  const draft = openDraft(`${about}${useSession().email}.${realmId}`);
  const [changes, setChanges] = useState(() => JSON.parse(draft.get() ?? "{}") as Partial<Edited>);
  // A save ends after more was typed.
  const latest = useRef(changes);
  const set = (next: Partial<Edited>) => {
    latest.current = next;
    setChanges(next);
    if (Object.keys(next).length === 0) draft.forget();
    else draft.keep(JSON.stringify(next));
  };
  return {
    changes,
    isChanged: Object.keys(changes).length > 0,
    change: (part: Partial<Edited>) => set({ ...latest.current, ...part }),
    /** Forgets changes that were saved or discarded, but not what was typed since. */
    forget: (ended: Partial<Edited>) => {
      const left = Object.entries(latest.current).filter(
        ([key, value]) => ended[key as keyof Edited] !== value,
      );
      set(Object.fromEntries(left) as Partial<Edited>);
    },
  };
}

/** Finds texts stored under names with a prefix. */
export const keptDrafts = (begin: string): string[] =>
  sessionStore
    .keys()
    .filter((key) => key.startsWith(PREFIX + begin))
    .flatMap((key) => sessionStore.get(key) ?? []);

/** Removes all typed text, because another user may use the browser after a sign-out. */
export function forgetDrafts(): void {
  for (const key of sessionStore.keys()) if (key.startsWith(PREFIX)) sessionStore.remove(key);
}
