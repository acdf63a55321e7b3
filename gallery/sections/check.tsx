import type { UploadCheck } from "#features/invoices/check/contract.ts";
import {
  changedInBooks,
  cleanReport,
  lookalikes,
  sampleCheck,
  sampleInvoices,
  sampleReport,
  skuWarning,
  unknownCustomer,
  wrongDate,
} from "#features/invoices/web/fixtures/checks.ts";
import { ReviewSection } from "#features/invoices/web/lazy-parts.ts";
import { checkQuery, reviewErrorsQuery, reviewInvoicesQuery } from "#features/invoices/web/review/queries.ts";
import { type SentFiles, SentFilesContext } from "#features/invoices/web/upload/use-upload.tsx";
import { Sample } from "../sample.tsx";
import { failure, unknownNames } from "../samples.ts";
import { acme, type QuerySeed, Stage } from "../stage.tsx";
import { galleryWords } from "../words.ts";

const words = galleryWords.check;
const { id } = sampleCheck();
const { queryKey: key } = checkQuery(acme.id, id);

const sent: SentFiles = {
  byId: new Map([[id, { file: new File([""], galleryWords.file), mode: "invoice" }]]),
  note: () => undefined,
};

/** Left out because another file had equal ones. */
const sharedWithOthers = { invoices: 2, rows: 2, amount: "200.00" };

const checkIs = (more: Partial<UploadCheck>): QuerySeed => ({ key, data: sampleCheck(more) });
const atWork = (more: Partial<UploadCheck>): QuerySeed => ({ ...checkIs(more), isFetching: true });

/** Additional queries of the review. */
const review: readonly QuerySeed[] = [
  {
    key: reviewInvoicesQuery(acme.id, sampleCheck()).queryKey,
    data: { revision: 1, invoices: sampleInvoices },
  },
  {
    key: reviewErrorsQuery(acme.id, sampleCheck()).queryKey,
    data: { pageParams: [-1], pages: [{ errors: [], next: null }] },
  },
];
const wrongCells: QuerySeed = {
  key: reviewErrorsQuery(acme.id, sampleCheck()).queryKey,
  data: { pageParams: [-1], pages: [{ errors: [wrongDate], next: null }] },
};

const samples: readonly { name: string; seeds: readonly QuerySeed[] }[] = [
  { name: words.loading, seeds: [{ key, isFetching: true }] },
  { name: words.unreadable, seeds: [{ key, error: failure }] },
  { name: words.checking, seeds: [atWork({ state: "checking", report: null })] },
  { name: words.posting, seeds: [atWork({ state: "posting" })] },
  { name: words.waiting, seeds: [atWork({ state: "waiting", report: null })] },
  { name: words.failed, seeds: [checkIs({ state: "failed", report: null })] },
  { name: words.clean, seeds: [checkIs({ report: cleanReport })] },
  {
    name: words.problems,
    seeds: [
      checkIs({ report: sampleReport({ problems: [unknownCustomer, skuWarning] }) }),
      unknownNames(id, 1),
      wrongCells,
    ],
  },
  {
    name: words.duplicates,
    seeds: [checkIs({ report: sampleReport({ possible_duplicates: [lookalikes] }) })],
  },
  {
    name: words.equal,
    seeds: [checkIs({ report: sampleReport({ skipped: sharedWithOthers, equal_invoices: 2 }) })],
  },
  { name: words.changed, seeds: [checkIs({ changes: [changedInBooks] })] },
  { name: words.nothing, seeds: [checkIs({ mode: "file" })] },
];

/** A check from its first second to the final decision. */
export function CheckSection() {
  return (
    <SentFilesContext value={sent}>
      {samples.map(({ name, seeds }) => (
        <Sample key={name} name={name}>
          <Stage seeds={[...review, ...seeds]}>
            <ReviewSection
              realmId={acme.id}
              checkId={id}
              isTyped={false}
              onReplaced={leave}
              onPosted={leave}
              onClose={leave}
            />
          </Stage>
        </Sample>
      ))}
    </SentFilesContext>
  );
}

function leave() {}
