import type { SessionCompany } from "#features/identity/contract.ts";
import { canPrint, HistoryRow } from "#features/shipping/web/history/history-row.tsx";
import { Ledger } from "#features/shipping/web/history/look.ts";
import {
  HISTORY_FILTERS,
  type HistoryFilter,
  PAGE_SIZE,
  shipmentsQuery,
} from "#features/shipping/web/history/queries.ts";
import { PrintSelected } from "#features/shipping/web/history/print-selected.tsx";
import { historyWords as words } from "#features/shipping/web/history/words.ts";
import { Card } from "#web/kit/card.tsx";
import { MoreRows } from "#web/kit/more-rows.tsx";
import { Filters } from "#web/kit/filters.tsx";
import { Loading } from "#web/kit/spinner.tsx";
import { SearchField } from "#web/kit/text-input.tsx";
import { useSettled } from "#web/kit/use-search.ts";
import { visuallyHidden } from "#web/kit/visually-hidden.ts";
import Box from "@mui/material/Box";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useCallback, useState } from "react";
import { useSearchParams } from "react-router";

/** UPS labels that were made, to print again or void. The address may name an order: `?history=1&q=8841203`. */
export function HistoryTab({ company }: { company: SessionCompany }) {
  const [params] = useSearchParams();
  const [typed, setTyped] = useState(() => params.get("q") ?? "");
  const [show, setShow] = useState<HistoryFilter>("all");
  const search = useSettled(typed.trim());
  const query = useInfiniteQuery({
    ...shipmentsQuery(company.id, { show, search }),
    // Keeps the listed labels until the next ones are loaded.
    placeholderData: keepPreviousData,
  });
  const labels = query.data?.pages.flatMap((page) => page.labels) ?? [];
  const counts = query.data?.pages[0]?.counts;
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const selected = labels.filter((each) => chosen.has(each.id) && canPrint(each));
  const select = useCallback(
    (id: string, isSelected: boolean) =>
      setChosen((before) => new Set([...before, id].filter((each) => each !== id || isSelected))),
    [],
  );
  const find = useCallback((number: string) => {
    setShow("all");
    setTyped(number);
  }, []);
  const isNarrowed = search !== "" || show !== "all";
  return (
    <Card
      title={words.title}
      sx={{ mt: 3 }}
      actions={
        <Box sx={{ display: "flex", flexWrap: "wrap", alignItems: "center", gap: "8px 32px" }}>
          <Filters
            label={words.filters}
            value={show}
            options={HISTORY_FILTERS.map((value) => ({
              value,
              label: words.filterLabels[value],
              ...(counts ? { count: counts[value] } : {}),
            }))}
            onChange={setShow}
          />
          <SearchField label={words.search} placeholder={words.searchFor} value={typed} onChange={setTyped} />
        </Box>
      }
    >
      <Loading isBusy={query.isPending} label={words.loading}>
        <PrintSelected realmId={company.id} selected={selected} onClear={() => setChosen(new Set())} />
        {labels.length > 0 ? (
          <Ledger aria-label={words.title}>
            <thead>
              <tr>
                {words.heads.map((head) => (
                  <th key={head} scope="col">
                    {head === words.heads[3] ? <span style={visuallyHidden}>{head}</span> : head}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {labels.map((each) => (
                <HistoryRow
                  key={each.id}
                  realmId={company.id}
                  labels={each}
                  isSelected={chosen.has(each.id)}
                  onSelect={select}
                  onFind={find}
                />
              ))}
            </tbody>
          </Ledger>
        ) : null}
        {query.isSuccess && labels.length === 0 ? <Nothing isNarrowed={isNarrowed} /> : null}
      </Loading>
      <MoreRows query={query} label={words.more(PAGE_SIZE)} />
    </Card>
  );
}

function Nothing({ isNarrowed }: { isNarrowed: boolean }) {
  if (isNarrowed) return <p role="status">{words.noMatch}</p>;
  return (
    <>
      <p>{words.none}</p>
      <Box component="p" sx={{ color: "text.secondary" }}>
        {words.noneHint}
      </Box>
    </>
  );
}
