import { useSettled } from "#web/kit/use-settled.ts";
import { useState } from "react";

/** What is typed to search for, and what of it is searched for by now. */
export function useSearch(): [typed: string, type: (text: string) => void, search: string] {
  const [typed, setTyped] = useState("");
  return [typed, setTyped, useSettled(typed.trim())];
}
