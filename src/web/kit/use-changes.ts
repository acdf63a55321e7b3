import { useSession } from "#web/kit/session/session.ts";
import { openDraft } from "#web/kit/use-draft.ts";
import { useState } from "react";

type Which = { about: string; email: string | null; realmId: string };

/** Unsaved changes of a user to a company's settings, as they are stored. */
export const openChanges = ({ about, email, realmId }: Which) => openDraft(`${about}.${email}.${realmId}`);

/** Unsaved changes to settings, kept for the browser session, so that they survive a sign-out. */
export function useChanges<Edited extends object>(about: string, realmId: string) {
  const { email } = useSession();
  const draft = openChanges({ about, email, realmId });
  const [changes, setChanges] = useState(() => JSON.parse(draft.get() ?? "{}") as Partial<Edited>);
  return {
    changes,
    isChanged: Object.keys(changes).length > 0,
    change: (part: Partial<Edited>) => {
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
