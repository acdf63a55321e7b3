import { useSession } from "#web/kit/session/session.ts";
import { openDraft } from "#web/kit/use-draft.ts";
import { useState } from "react";

/**
 * What a user changed of something and has not saved yet, kept for the browser session: a session that ends, and signing
 * in again, lose none of it. What was not changed follows what is saved. @param of names it within the company
 */
export function useKeptChanges<T extends object>(realmId: string, of: string) {
  const { email } = useSession();
  const draft = openDraft(`${of}.${email}.${realmId}`);
  const [changes, setChanges] = useState(() => JSON.parse(draft.get() ?? "{}") as Partial<T>);
  return {
    changes,
    isChanged: Object.keys(changes).length > 0,
    change: (part: Partial<T>) => {
      const next = { ...changes, ...part };
      setChanges(next);
      draft.keep(JSON.stringify(next));
    },
    forget: () => {
      setChanges({});
      draft.forget();
    },
  };
}
