import { type QueryKey, useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";

type Saved<Choices> = {
  /** The choices as the server has them. */
  saved: Choices | undefined;
  save: (change: Choices) => Promise<unknown>;
  /** The query that reads `saved`. */
  queryKey: QueryKey;
};

/**
 * Saves each choice when it is made. It shows from the click on: a mutation's own state arrives a moment later,
 * and the box would jump back and forth. After a failure `now` is what the server has.
 */
export function useSavedChoices<Choices>({ saved, save, queryKey }: Saved<Choices>) {
  const queries = useQueryClient();
  const [chosen, setChosen] = useState<Partial<Choices>>({});
  const { mutate, error } = useMutation({
    mutationFn: save,
    // One after the other, so that the last choice is the one that is kept.
    scope: { id: JSON.stringify(queryKey) },
    onError: () => setChosen({}),
    onSuccess: () => queries.invalidateQueries({ queryKey }),
  });
  const choose = (change: Choices) => {
    setChosen({ ...chosen, ...change });
    mutate(change);
  };
  return { now: { ...saved, ...chosen }, choose, error };
}
