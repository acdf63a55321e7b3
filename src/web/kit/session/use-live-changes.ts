import { subscribeToChanges } from "#web/kit/live-changes.ts";
import { queryKeys } from "#web/kit/query-client.ts";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";

/** While somebody is signed in, asks again for what the server says has changed. Polling stays as it is. */
export function useLiveChanges(signedIn: boolean): void {
  const queries = useQueryClient();
  useEffect(() => {
    if (!signedIn) return undefined;
    return subscribeToChanges(
      ({ realm_id }) => void queries.invalidateQueries({ queryKey: queryKeys.invoices(realm_id) }),
    );
  }, [signedIn, queries]);
}
