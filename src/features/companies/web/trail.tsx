import { downloadTrail, type TrailEntry } from "#features/companies/trail/contract.ts";
import { trailQuery } from "#features/companies/web/queries.ts";
import { companyWords } from "#features/companies/web/words.ts";
import { call } from "#web/kit/api-client.ts";
import { DownloadButton } from "#web/kit/document-buttons.tsx";
import { MoreRows } from "#web/kit/more-rows.tsx";
import { formatMoment, formatZoned } from "#web/kit/format.ts";
import { OpenRow } from "#web/kit/rows.tsx";
import { SearchField } from "#web/kit/text-input.tsx";
import { useSearch } from "#web/kit/use-search.ts";
import { Skeleton } from "#web/kit/skeleton.tsx";
import { TextTable } from "#web/kit/tables.tsx";
import Box from "@mui/material/Box";
import { useInfiniteQuery } from "@tanstack/react-query";

const words = companyWords.trail;

/** Audit trail of a company. */
export function TrailRow({ realmId }: { realmId: string }) {
  const { data } = useInfiniteQuery(trailQuery(realmId, ""));
  const last = data?.pages[0]?.entries[0];
  return (
    <OpenRow {...words.row} state={data ? words.last(last ? formatZoned(last.at) : null) : null}>
      <Trail realmId={realmId} />
    </OpenRow>
  );
}

function Trail({ realmId }: { realmId: string }) {
  const [typed, setTyped, search] = useSearch();
  const query = useInfiniteQuery(trailQuery(realmId, search));
  const { data, isPending } = query;
  const entries = data?.pages.flatMap((page) => page.entries) ?? [];
  return (
    <>
      <Box sx={{ display: "flex", flexWrap: "wrap", gap: 2, justifyContent: "space-between" }}>
        <SearchField label={words.search} placeholder={words.search} value={typed} onChange={setTyped} />
        <DownloadButton
          type={words.csv}
          fileName={words.fileName}
          fetchDocument={() => call(downloadTrail, { query: { realm_id: realmId, search } })}
        />
      </Box>
      <Skeleton isBusy={isPending} label={words.row.loading} rows={4} columns={3} height={44}>
        {data && entries.length === 0 ? <p role="status">{words.none(search)}</p> : null}
        {entries.length > 0 ? (
          <TextTable label={words.table} heads={words.heads}>
            {entries.map((entry) => (
              <Entry key={entry.id} entry={entry} />
            ))}
          </TextTable>
        ) : null}
      </Skeleton>
      <MoreRows query={query} label={words.older} variant="outlined" />
    </>
  );
}

function Entry({ entry: { at, user, title, changes } }: { entry: TrailEntry }) {
  const [when, who, what, values] = words.heads;
  return (
    <tr>
      <td data-head={when}>{formatMoment(at)}</td>
      <td data-head={who} style={{ overflowWrap: "anywhere" }}>
        {user ?? words.noUser}
      </td>
      <td data-head={what}>{title}</td>
      <td data-head={values} style={{ overflowWrap: "anywhere" }}>
        {/* One element, because the children of a cell are laid out side by side on a phone. */}
        <div>
          {changes.map(({ name, before, after }) => (
            <div key={name}>{words.change(name, before, after)}</div>
          ))}
        </div>
      </td>
    </tr>
  );
}
