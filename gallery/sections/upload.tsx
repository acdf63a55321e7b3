import { DemoReset, StepsCard } from "#features/invoices/web/first-steps/first-steps.tsx";
import { ConnectionLine } from "#features/invoices/web/upload/connection-line.tsx";
import { HelpLinks } from "#features/invoices/web/upload/help-links.tsx";
import { UploadCard } from "#features/invoices/web/upload/upload-card.tsx";
import { MAX_FILE_ROWS } from "#features/sheets/contract.ts";
import { FilePicker } from "#features/sheets/web/file-picker.tsx";
import { queryKeys } from "#web/kit/query-client.ts";
import { ReconnectNotice } from "#web/kit/reconnect-notice.tsx";
import { Acted, dragOver } from "../acted.tsx";
import { Sample } from "../sample.tsx";
import { seedCompany, failure } from "../samples.ts";
import { acme, type QuerySeed, Stage } from "../stage.tsx";
import { galleryWords } from "../words.ts";

const words = galleryWords.upload;

const connections: readonly {
  name: string;
  seeds: readonly QuerySeed[];
  tracking?: true;
  isLost?: boolean;
}[] = [
  { name: words.connected, seeds: [seedCompany()] },
  { name: words.tracking, seeds: [seedCompany({ services: ["tracking"] })], tracking: true },
  { name: words.reconnect, seeds: [seedCompany({ connection: "reconnect_needed" })], isLost: true },
  { name: words.connectionWaits, seeds: [{ key: queryKeys.companies, isFetching: true }] },
  { name: words.connectionFailed, seeds: [{ key: queryKeys.companies, error: failure }] },
];

const march = new File(["x".repeat(1_200_000)], galleryWords.file);
const csv = new File(["x"], galleryWords.csv);
const pickers = [
  { name: words.picker.empty, file: null, disabled: false, act: leave },
  { name: words.picker.chosen, file: march, disabled: false, act: leave },
  { name: words.picker.dragged, file: null, disabled: false, act: dragOver },
  { name: words.picker.csv, file: csv, disabled: false, act: leave },
  { name: words.picker.disabled, file: march, disabled: true, act: leave },
];

/** The top of the Upload page. */
export function UploadSection() {
  return (
    <>
      {connections.map(({ name, seeds, tracking, isLost = false }) => (
        <Sample key={name} name={name}>
          <Stage seeds={seeds}>
            <ConnectionLine company={{ ...acme, ...(tracking && { tracking }) }} isLost={isLost} />
            <ReconnectNotice />
          </Stage>
        </Sample>
      ))}
      {pickers.map(({ name, act, ...picker }) => (
        <Sample key={name} name={name}>
          <Acted act={act}>
            <FilePicker chooseButton={null} maxRows={MAX_FILE_ROWS} onChoose={leave} {...picker} />
          </Acted>
        </Sample>
      ))}
      {[acme, null].map((company) => (
        <Sample key={String(company)} name={company ? words.card : words.cardWithout}>
          <Stage>
            <UploadCard company={company} chosen={[null, leave]} />
            <HelpLinks company={company} />
          </Stage>
        </Sample>
      ))}
    </>
  );
}

/** The first steps from none to all done, and the confirmation of a demo reset. */
export function StepsSection() {
  return (
    <>
      {[0, 1, 2, 3, 4].map((done) => (
        <Sample key={done} name={words.steps(done)}>
          <StepsCard
            states={{
              connect: done > 0,
              mistakes: done > 1,
              correct: done > 2,
              books: done > 3,
            }}
            onOpenBooks={leave}
            onHide={leave}
          />
        </Sample>
      ))}
      <Sample name={words.reset}>
        <Acted act={(root) => root.querySelector("button")?.click()}>
          <DemoReset />
        </Acted>
      </Sample>
    </>
  );
}

function leave() {}
