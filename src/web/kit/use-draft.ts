import { sessionStore } from "#web/kit/storage.ts";
import { useState } from "react";

const PREFIX = "draft:";

/**
 * Text being typed, kept for the browser session: a session that ends, and signing in again, lose none of it.
 * Blocked storage leaves it to the page. Until something is typed it follows `initial`. @returns the text, its setter, and a function that forgets it
 */
export function useDraft(name: string, initial = ""): [string, (text: string) => void, () => void] {
  const [typed, setText] = useState(() => sessionStore.get(PREFIX + name));
  const change = (next: string) => {
    setText(next);
    sessionStore.set(PREFIX + name, next);
  };
  const forget = () => {
    setText(null);
    sessionStore.remove(PREFIX + name);
  };
  return [typed ?? initial, change, forget];
}

/** Forgets everything typed: after signing out the browser may be another user's. */
export function forgetDrafts(): void {
  for (const key of sessionStore.keys()) if (key.startsWith(PREFIX)) sessionStore.remove(key);
}
