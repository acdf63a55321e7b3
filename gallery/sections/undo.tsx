import type { UndoRun, UndoStatus } from "#features/invoices/undo/contract.ts";
import { samplePreview, sampleRun } from "#features/invoices/web/fixtures/undos.ts";
import { sampleUpload } from "#features/invoices/web/fixtures/uploads.ts";
import { undoQuery } from "#features/invoices/web/undo/queries.ts";
import { UndoDialog } from "#features/invoices/web/undo/undo-button.tsx";
import { failure } from "../samples.ts";
import { acme, type QuerySeed, Stage } from "../stage.tsx";
import { galleryWords } from "../words.ts";

const words = galleryWords.undo;
const upload = sampleUpload();
const { queryKey: key } = undoQuery(acme.id, upload.id);

const statusIs = (preview: UndoStatus["preview"], run: Partial<UndoRun> | null): QuerySeed => ({
  key,
  data: { preview, run: run && sampleRun(run) } satisfies UndoStatus,
});
const none = { invoices: 0, amount: "0.00" };

const dialogs = {
  loading: { key, isFetching: true },
  failed: { key, error: failure },
  asked: statusIs(samplePreview(), null),
  nothing: statusIs(samplePreview({ to_undo: none }), null),
  working: { ...statusIs(null, {}), isFetching: true },
  paused: { ...statusIs(null, { state: "paused", sentence: words.pausedBecause }), isFetching: true },
  again: statusIs(samplePreview({ to_undo: none }), { state: "finished", sentence: words.before }),
} as const satisfies Record<string, QuerySeed>;

/** The undo dialog in each state; a dialog covers everything else, so each is shown alone. */
function undoSection(state: keyof typeof dialogs) {
  return function UndoSection() {
    return (
      <Stage seeds={[dialogs[state]]}>
        <UndoDialog realmId={acme.id} upload={upload} isOpen onClose={leave} />
      </Stage>
    );
  };
}

export const UndoLoading = undoSection("loading");
export const UndoFailed = undoSection("failed");
export const UndoAsked = undoSection("asked");
export const UndoNothing = undoSection("nothing");
export const UndoWorking = undoSection("working");
export const UndoPaused = undoSection("paused");
export const UndoAgain = undoSection("again");

function leave() {}
