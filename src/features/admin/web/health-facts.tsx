import { adminWords } from "#features/admin/web/words.ts";
import { showHealth, type Health } from "#features/health/contract.ts";
import { call } from "#web/kit/api-client.ts";
import { FailedCall } from "#web/kit/failed-call.tsx";
import { formatDateTime } from "#web/kit/format.ts";
import { Loading } from "#web/kit/spinner.tsx";
import Box from "@mui/material/Box";
import { useQuery } from "@tanstack/react-query";

const words = adminWords.health;

/** The queue, the disk and the vendors' last answers, as they were when the page was opened. */
export function HealthFacts() {
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ["health"],
    queryFn: ({ signal }) => call(showHealth, { signal }),
    staleTime: 0,
  });
  return (
    <>
      <FailedCall error={error} onRetry={() => void refetch()} />
      <Loading isBusy={isPending} label={words.loading}>
        {data ? <Facts health={data} /> : null}
      </Loading>
    </>
  );
}

function Facts({ health }: { health: Health }) {
  return (
    <Box component="dl" sx={{ m: 0, "& dt": { fontWeight: 700 }, "& dd": { m: 0, mb: 1 } }}>
      {listFacts(health).map(([name, text]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </Box>
  );
}

function listFacts({ queue, disk, intuit_reads: reads, vendors }: Health): [name: string, text: string][] {
  const { names } = words;
  return [
    [names.queue, queue ? describeQueue(queue) : words.away],
    ...(disk
      ? [
          [names.disk, words.disk(gigabytes(disk.free_bytes), gigabytes(disk.total_bytes))] as [
            string,
            string,
          ],
        ]
      : []),
    ...(reads ? [[names.reads, words.reads(reads.this_month, reads.limit)] as [string, string]] : []),
    ...vendors.map(({ vendor, outcome, at }): [string, string] => [
      words.vendors[vendor] ?? vendor,
      words.lastCall(outcome, formatDateTime(at)),
    ]),
  ];
}

function describeQueue({
  queued,
  working,
  waiting,
  oldest_queued_seconds: oldest,
}: NonNullable<Health["queue"]>) {
  const counts = words.queue(queued, working, waiting);
  return oldest > 0 ? `${counts}, ${words.oldest(oldest)}` : counts;
}

const gigabytes = (bytes: number): string => (bytes / 1e9).toFixed(1);
