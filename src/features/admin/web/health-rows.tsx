import { healthQuery } from "#features/admin/web/queries.ts";
import { adminWords } from "#features/admin/web/words.ts";
import type { Health } from "#features/health/contract.ts";
import { Chip } from "#web/kit/chip.tsx";
import { FailedCall } from "#web/kit/failed-call.tsx";
import { formatMoment } from "#web/kit/format.ts";
import { Skeleton } from "#web/kit/skeleton.tsx";
import { TextTable } from "#web/kit/tables.tsx";
import { useQuery } from "@tanstack/react-query";

const words = adminWords.health;

/** Free share of the disk, and used share of the metered reads, from which an operator must act. */
const LITTLE_FREE = 0.1;
const MUCH_READ = 0.8;

type Row = { name: string; isOk: boolean; state: string; facts: string };

/** The queue, the disk, mail and the vendors' last answers, as they were when the page was opened. */
export function HealthRows({ failedMail }: { failedMail: number }) {
  const { data, error, isPending, refetch } = useQuery(healthQuery());
  const [part, state, facts] = words.heads;
  return (
    <>
      <FailedCall error={error} onRetry={() => void refetch()} />
      <Skeleton isBusy={isPending} label={words.loading} rows={6} columns={3}>
        {data ? (
          <TextTable label={words.table} heads={words.heads} isComplete>
            {listRows(data, failedMail).map((row) => (
              <tr key={row.name}>
                <th scope="row" data-head={part}>
                  {row.name}
                </th>
                <td data-head={state}>
                  <Chip tone={row.isOk ? "ok" : "red"}>{row.state}</Chip>
                </td>
                <td data-head={facts}>{row.facts}</td>
              </tr>
            ))}
          </TextTable>
        ) : null}
      </Skeleton>
    </>
  );
}

function listRows(health: Health, failedMail: number): Row[] {
  const { names } = words;
  const { database, queue, objects, ups, disk, intuit_reads: reads, vendors } = health;
  const ok = (name: string, facts: string): Row => ({ name, isOk: true, state: words.ok, facts });
  const away: Row = { name: names.database, isOk: false, state: words.away, facts: "" };
  return [
    database ? describeDatabase(database) : away,
    ...(database?.replica ? [describeReplica(database.replica)] : []),
    ...(queue ? [ok(names.queue, describeQueue(queue))] : []),
    ...(objects === null ? [] : [{ ...away, name: names.objects, facts: objects }]),
    ...(ups === null ? [] : [{ ...away, name: names.ups, facts: ups }]),
    ...(disk ? [describeDisk(disk)] : []),
    ...(reads
      ? [
          {
            name: names.reads,
            ...toState(reads.this_month < reads.limit * MUCH_READ, words.near),
            facts: words.reads(reads.this_month, reads.limit),
          },
        ]
      : []),
    ...vendors.map(({ vendor, outcome, at }) => ({
      name: words.vendors[vendor] ?? vendor,
      ...toState(outcome === "2xx" || outcome === "4xx" || outcome === "3xx", words.failing),
      facts: words.lastCall(outcome, formatMoment(at)),
    })),
    {
      name: names.mail,
      ...toState(failedMail === 0, words.failing),
      facts: failedMail === 0 ? words.sent : words.failedMail(failedMail),
    },
  ];
}

const toState = (isOk: boolean, otherwise: string) => ({ isOk, state: isOk ? words.ok : otherwise });

function describeDatabase({ primary, standbys, fault }: NonNullable<Health["database"]>): Row {
  const servers = [
    words.primary(primary),
    ...(standbys ?? []).map(({ name, is_synchronous: isSynchronous, lag_seconds: lag }) =>
      words.standby(name, isSynchronous, lag),
    ),
  ].join(", ");
  return { name: words.names.database, ...toState(fault === null, words.alone), facts: fault ?? servers };
}

function describeReplica({
  lag_seconds: lag,
  fault,
}: NonNullable<NonNullable<Health["database"]>["replica"]>): Row {
  return {
    name: words.names.replica,
    ...toState(fault === null, words.unused),
    facts: fault ?? words.behind(lag),
  };
}

function describeDisk({ free_bytes: free, total_bytes: total }: NonNullable<Health["disk"]>): Row {
  const facts = words.disk(gigabytes(free), gigabytes(total));
  return { name: words.names.disk, ...toState(free > total * LITTLE_FREE, words.full), facts };
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
