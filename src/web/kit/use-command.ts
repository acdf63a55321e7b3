import { useAnnounce } from "#web/kit/live-region.tsx";
import { type QueryKey, useMutation, useQueryClient } from "@tanstack/react-query";

type Options<Reply, Args> = {
  /** Announced once the change is made. */
  done?: string | ((reply: Reply, args: Args) => string);
  /** Called before that. */
  onDone?: ((reply: Reply, args: Args) => void) | undefined;
  /** Keys of the queries that are read again; the change is pending until they are. */
  changed: readonly QueryKey[];
};

/** A change that a user makes. */
export function useCommand<Reply, Args = void>(
  change: (args: Args) => Promise<Reply>,
  { done, onDone, changed }: Options<Reply, Args>,
) {
  const queries = useQueryClient();
  const announce = useAnnounce();
  return useMutation({
    mutationFn: change,
    onSuccess: async (reply, args) => {
      onDone?.(reply, args);
      if (done !== undefined) announce(typeof done === "string" ? done : done(reply, args));
      await Promise.all(changed.map((queryKey) => queries.invalidateQueries({ queryKey })));
    },
  });
}
