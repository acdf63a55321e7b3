import type { UnknownName } from "#features/invoices/contract.ts";
import { NameQuestion } from "#features/invoices/web/names/name-question.tsx";
import { unknownNamesQuery } from "#features/invoices/web/names/queries.ts";
import { namesWords as words } from "#features/invoices/web/names/words.ts";
import { BusyButton } from "#web/kit/busy-button.tsx";
import { FailedCall } from "#web/kit/failed-call.tsx";
import { formatCount } from "#web/kit/format.ts";
import { Loading } from "#web/kit/spinner.tsx";
import Box from "@mui/material/Box";
import { useInfiniteQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";

type Props = {
  realmId: string;
  /** An upload or a check. */
  uploadId: string;
  /** The way on, offered once a name was chosen. */
  children: ReactNode;
};

/** Names that the books do not have, each with a choice of what it means. */
export function UnknownNames({ realmId, uploadId, children }: Props) {
  const {
    data,
    error,
    isPending,
    refetch,
    hasNextPage,
    fetchNextPage,
    isFetchingNextPage,
    isFetchNextPageError,
  } = useInfiniteQuery(unknownNamesQuery(realmId, uploadId));
  const [chosen, setChosen] = useState<ReadonlyMap<string, string>>(new Map());
  const names = data?.pages.flatMap((page) => page.names) ?? [];
  const left = (data?.pages.at(-1)?.total_count ?? 0) - names.length;
  const change = (name: UnknownName, target: string | null) => {
    const next = new Map(chosen);
    if (target === null) next.delete(keyOf(name));
    else next.set(keyOf(name), target);
    setChosen(next);
  };
  return (
    <section aria-label={words.title}>
      <h3>{words.title}</h3>
      <FailedCall error={error} onRetry={() => void (isFetchNextPageError ? fetchNextPage() : refetch())} />
      <Loading isBusy={isPending} label={words.loading}>
        {data ? <p>{names.length === 0 ? words.none : words.intro}</p> : null}
        {names.map((name) => (
          <NameQuestion
            key={keyOf(name)}
            realmId={realmId}
            name={name}
            chosen={chosen.get(keyOf(name)) ?? null}
            onChosen={(target) => change(name, target)}
          />
        ))}
        <Box sx={{ display: "flex", flexWrap: "wrap", alignItems: "center", gap: 2, my: 2 }}>
          {hasNextPage ? (
            <BusyButton
              label={words.more(formatCount(left))}
              isBusy={isFetchingNextPage}
              onClick={() => void fetchNextPage()}
            />
          ) : null}
          {chosen.size > 0 ? children : null}
        </Box>
      </Loading>
    </section>
  );
}

const keyOf = ({ kind, text }: UnknownName) => `${kind} ${text}`;
