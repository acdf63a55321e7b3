import type { UploadList } from "#features/invoices/contract.ts";
import { everyStatus, sampleList, sampleUpload } from "#features/invoices/web/fixtures/uploads.ts";
import { resultRowsQuery, uploadsQuery } from "#features/invoices/web/queries.ts";
import { ResultTable } from "#features/invoices/web/results/result-table.tsx";
import { ResultsList } from "#features/invoices/web/results/results-list.tsx";
import { UploadResults } from "#features/invoices/web/results/upload-results.tsx";
import { Acted, openAll } from "../acted.tsx";
import { unknownNames, failure } from "../samples.ts";
import { Sample } from "../sample.tsx";
import { acme, type QuerySeed, Stage } from "../stage.tsx";
import { galleryWords } from "../words.ts";
import { Card } from "#web/kit/card.tsx";

const words = galleryWords.results;
const realmId = acme.id;
/** Number that the list fetches first. */
const { queryKey: listKey } = uploadsQuery(realmId, 20);

const rows = [everyStatus[0], everyStatus[2]].filter((row) => row !== undefined);
const total = 512;
const partly = sampleUpload({ results: rows, result_count: 300 });
const { queryKey: partlyRows } = resultRowsQuery(realmId, {
  id: partly.id,
  version: partly.counts,
  filter: "all",
});
const faulty = sampleUpload({ results: rows, counts: { total, completed: 508, problems: 4, open: 0 } });
const many = Array.from({ length: 300 }, (_, index) => ({
  status: index % 7 === 3 ? 2 : 0,
  rows: String(index + 2),
  message: index % 7 === 3 ? words.problem : words.created,
}));

const uploads = [
  {
    name: words.working,
    upload: sampleUpload({ results: rows, counts: { total, completed: 299, problems: 2, open: 211 } }),
  },
  { name: words.done, upload: sampleUpload() },
  {
    name: words.problems,
    upload: sampleUpload({ results: rows, counts: { total, completed: 508, problems: 4, open: 0 } }),
  },
  {
    name: words.skipped,
    upload: sampleUpload({ counts: { total, completed: 100, problems: 0, open: 0, skipped: 412 } }),
  },
  {
    name: words.undone,
    upload: sampleUpload({ counts: { total, completed: 0, problems: 0, open: 0, undone: total } }),
  },
  {
    name: words.paused,
    upload: sampleUpload({
      results: [{ status: 3, rows: "2-513", message: words.paused }],
      counts: { total, completed: 0, problems: 0, open: total },
    }),
  },
];

const lists: readonly { name: string; seeds: QuerySeed }[] = [
  { name: words.loading, seeds: { key: listKey, isFetching: true } },
  { name: words.empty, seeds: { key: listKey, data: sampleList([]) } },
  { name: words.failed, seeds: { key: listKey, error: failure } },
  { name: words.stale, seeds: { key: listKey, data: listOfTwo(), error: failure } },
  { name: words.more, seeds: { key: listKey, data: { ...listOfTwo(), total_count: 33 } } },
];

/** Rows of every status, and uploads at every stage. */
export function ResultsSection() {
  return (
    <>
      <Sample name={words.statuses}>
        <ResultTable rows={everyStatus} label={words.statuses} />
      </Sample>
      {uploads.map(({ name, upload }) => (
        <Sample key={name} name={name}>
          <Stage>
            <Card title={words.title}>
              <UploadResults realmId={realmId} upload={{ ...upload, filename: `${name}.xlsx` }} startsOpen />
            </Card>
          </Stage>
        </Sample>
      ))}
      <Sample name={words.unmatchedNames}>
        <Stage seeds={[unknownNames(faulty.id)]}>
          <Card title={words.title}>
            <Acted act={openAll}>
              <UploadResults realmId={realmId} upload={faulty} startsOpen />
            </Acted>
          </Card>
        </Stage>
      </Sample>
      <Sample name={words.windowed}>
        <ResultTable rows={many} label={words.windowed} />
      </Sample>
    </>
  );
}

/** List of uploads: loading, empty, failed, and with more to load. */
export function ListsSection() {
  return (
    <>
      {lists.map(({ name, seeds }) => (
        <Sample key={name} name={name}>
          <Stage seeds={[seeds]}>
            <ResultsList realmId={realmId} />
          </Stage>
        </Sample>
      ))}
      <Sample name={words.rowsLoading}>
        <Stage seeds={[{ key: partlyRows, isFetching: true }]}>
          <UploadResults realmId={realmId} upload={partly} startsOpen />
        </Stage>
      </Sample>
      <Sample name={words.rowsFailed}>
        <Stage seeds={[{ key: partlyRows, error: failure }]}>
          <UploadResults realmId={realmId} upload={partly} startsOpen />
        </Stage>
      </Sample>
      <Sample name={words.noCompany}>
        <ResultsList realmId={null} />
      </Sample>
    </>
  );
}

function listOfTwo(): UploadList {
  const older = { id: "0198c0de-0000-7000-8000-000000000002", filename: words.older };
  return sampleList([sampleUpload(), sampleUpload(older)]);
}
