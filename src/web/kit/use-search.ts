import { useEffect, useState } from "react";

/** Milliseconds without a key before a search is asked for: else every letter would ask the server. */
const PAUSE_MS = 250;

/** What is typed to search for, and what of it is searched for by now. */
export function useSearch(): [typed: string, type: (text: string) => void, search: string] {
  const [typed, setTyped] = useState("");
  const [search, setSearch] = useState("");
  useEffect(() => {
    const timer = setTimeout(() => setSearch(typed.trim()), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return [typed, setTyped, search];
}
