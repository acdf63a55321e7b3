import { sessionStore } from "#web/kit/storage.ts";
import { useState } from "react";

const PREFIX = "draft:";

/**
 * Text being typed, kept for the browser session: it survives the end of the session and a new sign-in.
 * Blocked storage leaves it to the page. Until something is typed it follows `initial`. @returns the text, its setter, and a function that forgets it
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

/** The same without React state: kept, read and forgotten by hand. */
export const openDraft = (name: string) => ({
  get: () => sessionStore.get(PREFIX + name),
  keep: (text: string) => void sessionStore.set(PREFIX + name, text),
  forget: () => sessionStore.remove(PREFIX + name),
});

/** Texts kept under names that begin with `begin`. */
export const keptDrafts = (begin: string): string[] =>
  sessionStore
    .keys()
    .filter((key) => key.startsWith(PREFIX + begin))
    .flatMap((key) => sessionStore.get(key) ?? []);

/** Forgets everything typed: after signing out the browser may be another user's. */
export function forgetDrafts(): void {
  for (const key of sessionStore.keys()) if (key.startsWith(PREFIX)) sessionStore.remove(key);
}
