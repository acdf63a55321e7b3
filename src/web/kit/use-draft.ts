import { useState } from "react";

const PREFIX = "draft:";

/**
 * Text being typed, kept for the browser session: a session that ends, and signing in again, lose none of it.
 * Blocked storage leaves it to the page. Until something is typed it follows `initial`. @returns the text, its setter, and a function that forgets it
 */
export function useDraft(name: string, initial = ""): [string, (text: string) => void, () => void] {
  const [typed, setText] = useState(() => readDraft(name));
  const change = (next: string) => {
    setText(next);
    attempt(() => window.sessionStorage.setItem(PREFIX + name, next));
  };
  const forget = () => {
    setText(null);
    attempt(() => window.sessionStorage.removeItem(PREFIX + name));
  };
  return [typed ?? initial, change, forget];
}

/** Forgets everything typed: after signing out the browser may be another person's. */
export function forgetDrafts(): void {
  attempt(() => {
    for (const key of Object.keys(window.sessionStorage))
      if (key.startsWith(PREFIX)) window.sessionStorage.removeItem(key);
  });
}

function readDraft(name: string): string | null {
  return attempt(() => window.sessionStorage.getItem(PREFIX + name)) ?? null;
}

function attempt<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch {
    return undefined;
  }
}
