import { chooseName } from "#features/books/names/contract.ts";
import type { UnknownName } from "#features/invoices/contract.ts";
import { NameQuestion } from "#features/invoices/web/names/name-question.tsx";
import { unknownNamesQuery } from "#features/invoices/web/names/queries.ts";
import { namesWords as words } from "#features/invoices/web/names/words.ts";
import { ReviewRows } from "#features/sheets/web/review.ts";
import { call } from "#web/kit/api-client.ts";
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
  /** Revision of a check. */
  version?: number;
  onChosen?: () => void;
  /** Next step, shown after a name was matched. */
  children?: ReactNode;
};

/** Names that QuickBooks does not have, each with a question. */
export function UnknownNames({ realmId, uploadId, version = 0, onChosen, children }: Props) {
  const query = useInfiniteQuery(unknownNamesQuery(realmId, uploadId, version));
  const { data, error } = query;
  const [chosen, setChosen] = useState<ReadonlyMap<string, string>>(new Map());
  const names = data?.pages.flatMap((page) => page.names) ?? [];
  const left = (data?.pages.at(-1)?.total_count ?? 0) - names.length;
  const change = (name: UnknownName, target: string | null) => {
    const next = new Map(chosen);
    if (target === null) next.delete(nameKey(name));
    else next.set(nameKey(name), target);
    setChosen(next);
    if (target !== null) onChosen?.();
  };
  const open = names.filter((name) => !chosen.has(nameKey(name)));
  const addAll = (matched: ReadonlyMap<string, string>) => {
    setChosen(new Map([...chosen, ...matched]));
    onChosen?.();
  };
  return (
    <Card
      title={data ? words.title(open.length + left) : words.titleOnly}
      note={words.intro}
      actions={<UseAll realmId={realmId} names={open} onMatched={addAll} />}
    >
      <FailedCall
        error={error}
        onRetry={() => void (query.isFetchNextPageError ? query.fetchNextPage() : query.refetch())}
      />
      <Skeleton isBusy={query.isPending} label={words.loading} rows={2}>
        <ReviewRows tone="amber">
          {names.map((name) => (
            <NameQuestion
              key={nameKey(name)}
              realmId={realmId}
              name={name}
              chosen={chosen.get(nameKey(name)) ?? null}
              onChosen={(target) => change(name, target)}
            />
          ))}
        </ReviewRows>
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

type UseAllProps = {
  realmId: string;
  names: readonly UnknownName[];
  onMatched: (matched: ReadonlyMap<string, string>) => void;
};

/** Takes the preselected suggestion of each name that has one. */
function UseAll({ realmId, names, onMatched }: UseAllProps) {
  const suggested = names.flatMap((name) => {
    const sure = name.suggestions.find(({ id }) => id === name.preselected_id);
    return sure ? [{ name, sure }] : [];
  });
  const { mutate, isPending, error } = useMutation({
    mutationFn: async (taken: typeof suggested) => {
      for (const { name, sure } of taken)
        await call(chooseName, {
          query: { realm_id: realmId },
          body: { kind: name.kind, text: name.text, target_id: sure.id },
        });
    },
    onSuccess: (_done, taken) =>
      onMatched(new Map(taken.map(({ name, sure }) => [nameKey(name), sure.name] as const))),
  });
  if (suggested.length < 2 && !error) return null;
  return (
    <>
      <BusyButton
        label={words.useAll(suggested.length)}
        isBusy={isPending}
        onClick={() => mutate(suggested)}
      />
      <FailedCall error={error} />
    </>
  );
}

const nameKey = ({ kind, text }: UnknownName) => `${kind} ${text}`;
