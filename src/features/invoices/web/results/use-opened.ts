import { useEffect, useState } from "react";

/** Which uploads are open, for as long as the page lives: who comes back to the list finds it as they left it. */
const opened = new Map<string, boolean>();

/** Whether an upload is open, and what opens and closes it. */
export function useOpened(id: string, startsOpen: boolean): [isOpen: boolean, toggle: () => void] {
  const [isOpen, setOpen] = useState(() => opened.get(id) ?? startsOpen);
  useEffect(() => void opened.set(id, isOpen), [id, isOpen]);
  return [isOpen, () => setOpen(!isOpen)];
}
