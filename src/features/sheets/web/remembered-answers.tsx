import type { SheetEndpoints } from "#features/sheets/contract.ts";
import {
  rememberedColumnsQuery,
  rememberedDatesQuery,
  type Remembered,
} from "#features/sheets/web/queries.ts";
import { rememberedWords as words } from "#features/sheets/web/words.ts";
import { TextTable } from "#web/kit/tables.tsx";
import { BusyButton } from "#web/kit/busy-button.tsx";
import { FailedCall } from "#web/kit/failed-call.tsx";
import { Loading } from "#web/kit/spinner.tsx";
import { useCommand } from "#web/kit/query-client.ts";
import Box from "@mui/material/Box";
import { type QueryKey, useQuery } from "@tanstack/react-query";
import { useRef } from "react";

/** Saved column matches and date order of one kind of sheet. */
export function RememberedAnswers({ endpoints, realmId }: { endpoints: SheetEndpoints; realmId: string }) {
  return (
    <>
      <RememberedTable words={words.columns} query={rememberedColumnsQuery(endpoints, realmId)} />
      <RememberedTable words={words.dateOrder} query={rememberedDatesQuery(endpoints, realmId)} />
    </>
  );
}

type Props = {
  words: { title: string; none: string; loading: string; heads: readonly string[] };
  query: { queryKey: QueryKey; queryFn: () => Promise<readonly Remembered[]> };
};

/** Saved choices of the company, each with a button that deletes it. */
export function RememberedTable({ words: own, query }: Props) {
  const { data, error, isPending, refetch } = useQuery({ ...query, staleTime: 0 });
  const heading = useRef<HTMLHeadingElement>(null);
  const forget = useCommand(({ forget: forgetIt }: Remembered) => forgetIt(), {
    done: (_, { text }) => words.forgotten(text),
    changed: [query.queryKey],
  });
  const change = useCommand(({ change: other }: Remembered) => Promise.resolve(other?.save()), {
    done: (_, { text }) => words.changed(text),
    changed: [query.queryKey],
  });
  return (
    <section>
      <h3 ref={heading} tabIndex={-1} style={{ outline: "none" }}>
        {own.title}
      </h3>
      <FailedCall error={error} onRetry={() => void refetch()} />
      <FailedCall error={forget.error ?? change.error} />
      <Loading isBusy={isPending} label={own.loading}>
        {data?.length === 0 ? <p>{own.none}</p> : null}
        {data && data.length > 0 ? (
          <TextTable label={own.title} heads={own.heads}>
            {data.map((answer) => (
              <tr key={answer.key}>
                <th scope="row" style={cell}>
                  {answer.text}
                  {answer.of ? (
                    <small style={{ display: "block", fontWeight: 400 }}>{answer.of}</small>
                  ) : null}
                </th>
                {answer.meaning.map((meaning, index) => (
                  <td key={own.heads[index + 1]} data-head={own.heads[index + 1]} style={cell}>
                    {meaning}
                  </td>
                ))}
                <td>
                  <Box sx={{ display: "flex", justifyContent: "flex-end", gap: 1 }}>
                    {answer.change ? (
                      <BusyButton
                        label={answer.change.label}
                        detail={nameAnswer(answer)}
                        isBusy={change.isPending && change.variables.key === answer.key}
                        onClick={() => change.mutate(answer)}
                      />
                    ) : null}
                    <BusyButton
                      label={words.forget}
                      detail={nameAnswer(answer)}
                      isBusy={forget.isPending && forget.variables.key === answer.key}
                      // The focused button is gone then.
                      onClick={() => forget.mutate(answer, { onSuccess: () => heading.current?.focus() })}
                    />
                  </Box>
                </td>
              </tr>
            ))}
          </TextTable>
        ) : null}
      </Loading>
    </section>
  );
}

/** Two layouts can have a column and a value of the same names. */
const nameAnswer = ({ text, of }: Remembered) => (of ? `${text}. ${of}` : text);

/** Long names wrap, short words on narrow screens do not. */
const cell = { minWidth: "5.5rem", overflowWrap: "anywhere" } as const;
