import type { UnknownName } from "#features/invoices/contract.ts";
import { NameQuestion } from "#features/invoices/web/names/name-question.tsx";
import { unknownNamesQuery } from "#features/invoices/web/names/queries.ts";
import { namesWords as words } from "#features/invoices/web/names/words.ts";
import { chooseName } from "#features/books/names/contract.ts";
import { call } from "#web/kit/api-client.ts";
import { ReviewRows } from "#features/invoices/web/review/review-rows.tsx";
import { BusyButton } from "#web/kit/busy-button.tsx";
import { Card } from "#web/kit/card.tsx";
import { FailedCall } from "#web/kit/failed-call.tsx";
import { Skeleton } from "#web/kit/skeleton.tsx";
import Box from "@mui/material/Box";
import { useInfiniteQuery, useMutation } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";

type Props = {
  realmId: string;
  /** An upload or a check. */
  uploadId: string;
  /** Raised whenever a check was repeated. */
  version?: number;
  onChosen?: () => void;
  /** The way on, offered once a name was chosen. */
  children?: ReactNode;
};

/** Names that the books do not have, each with a choice of what it means. */
export function UnknownNames({ realmId, uploadId, version = 0, onChosen, children }: Props) {
  const query = useInfiniteQuery(unknownNamesQuery(realmId, uploadId, version));
  const { data, error } = query;
  const [chosen, setChosen] = useState<ReadonlyMap<string, string>>(new Map());
  const names = data?.pages.flatMap((page) => page.names) ?? [];
  const left = (data?.pages.at(-1)?.total_count ?? 0) - names.length;
  const change = (name: UnknownName, target: string | null) => {
    const next = new Map(chosen);
    if (target === null) next.delete(keyOf(name));
    else next.set(keyOf(name), target);
    setChosen(next);
    if (target !== null) onChosen?.();
  };
  const suggested = names.flatMap((name) => {
    const [first] = chosen.has(keyOf(name)) ? [] : name.suggestions;
    return first ? [{ name, first }] : [];
  });
  const all = useMutation({
    mutationFn: async () => {
      for (const { name, first } of suggested)
        await call(chooseName, {
          query: { realm_id: realmId },
          body: { kind: name.kind, text: name.text, target_id: first.id },
        });
    },
    onSuccess: () => {
      setChosen(
        new Map([...chosen, ...suggested.map(({ name, first }) => [keyOf(name), first.name] as const)]),
      );
      onChosen?.();
    },
  });
  const useAll =
    suggested.length > 1 ? (
      <BusyButton
        label={words.useAll(suggested.length)}
        isBusy={all.isPending}
        onClick={() => all.mutate()}
      />
    ) : null;
  const open = (data?.pages[0]?.total_count ?? 0) - chosen.size;
  return (
    <Card title={data ? words.title(Math.max(0, open)) : words.titleOnly} note={words.intro} actions={useAll}>
      <FailedCall
        error={error}
        onRetry={() => void (query.isFetchNextPageError ? query.fetchNextPage() : query.refetch())}
      />
      <Skeleton isBusy={query.isPending} label={words.loading} rows={2}>
        {data && names.length === 0 ? <p>{words.none}</p> : null}
        <FailedCall error={all.error} />
        {names.length > 0 ? (
          <ReviewRows tone="amber">
            {names.map((name) => (
              <NameQuestion
                key={keyOf(name)}
                realmId={realmId}
                name={name}
                chosen={chosen.get(keyOf(name)) ?? null}
                onChosen={(target) => change(name, target)}
              />
            ))}
          </ReviewRows>
        ) : null}
        <Box sx={{ display: "flex", flexWrap: "wrap", alignItems: "center", gap: 2, my: 2 }}>
          {query.hasNextPage ? (
            <BusyButton
              label={words.more(left)}
              isBusy={query.isFetchingNextPage}
              onClick={() => void query.fetchNextPage()}
            />
          ) : null}
          {chosen.size > 0 ? children : null}
        </Box>
      </Skeleton>
    </Card>
  );
}

const keyOf = ({ kind, text }: UnknownName) => `${kind} ${text}`;
