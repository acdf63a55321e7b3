import { sessionStore } from "#web/kit/storage.ts";
import { useState } from "react";

/** Something that is remembered until the tab is closed, and by the page alone where storage is blocked. */
export function useSessionFlag(key: string): [isSet: boolean, set: () => void] {
  const [isSet, setState] = useState(() => sessionStore.get(key) === "1");
  const set = () => {
    setState(true);
    sessionStore.set(key, "1");
  };
  return [isSet, set];
}
