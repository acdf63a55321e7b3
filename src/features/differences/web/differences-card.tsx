import { listDifferences } from "#features/differences/contract.ts";
import { differenceWords as words } from "#features/differences/web/words.ts";
import { call } from "#web/kit/api-client.ts";
import { Card } from "#web/kit/card.tsx";
import { formatDateTime } from "#web/kit/format.ts";
import { LIST, ListRow } from "#web/kit/lists.tsx";
import { queryKeys } from "#web/kit/query-client.ts";
import { useSession } from "#web/kit/session/session.ts";
import Box from "@mui/material/Box";
import { useQuery } from "@tanstack/react-query";

/** Differences from the vendors' records, each with its cure; nothing without any. */
export function DifferencesCard() {
  const { company } = useSession();
  const realmId = company?.id ?? "";
  const { data } = useQuery({
    queryKey: queryKeys.differences(realmId),
    queryFn: ({ signal }) => call(listDifferences, { query: { realm_id: realmId }, signal }),
    enabled: realmId !== "",
  });
  if (!data || data.differences.length === 0) return null;
  return (
    <Card title={words.title} note={words.note}>
      <Box component="ul" sx={LIST}>
        {data.differences.map(({ vendor, sentence, cure, found_at }) => (
          <ListRow
            key={`${vendor} ${sentence}`}
            name={sentence}
            facts={[cure, words.found(formatDateTime(found_at))]}
          />
        ))}
      </Box>
    </Card>
  );
}
