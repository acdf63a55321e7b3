import { createLabels, findPrint, PDF_MEDIA_TYPE } from "#features/labels/contract.ts";
import type { LabelChoices } from "#features/labels/web/print/print-choices.tsx";
import { sentBody } from "#features/labels/web/rules.ts";
import type { FixedCell } from "#features/sheets/web/index.ts";
import { call, type ReceivedDocument } from "#web/kit/api-client.ts";
import { ApiError, isUnanswered, readErrorBody, httpStatus } from "#web/kit/api-error.ts";

/** A file to make labels of, with what was corrected of it; `good` leaves rows with errors out. */
export type SentLabels = {
  file: File;
  rows: "all" | "good";
  cells: readonly FixedCell[];
  choices: LabelChoices;
};

/** The upload that labels were made of, and their document, unless its answer was late or was lost on the way. */
export type ReceivedLabels = { uploadId: string | undefined; received: ReceivedDocument | null };

type Sending = { onUploadProgress: (percent: number) => void; signal: AbortSignal; realmId: string };

/**
 * Sends a sheet. When its answer is late or gets lost, the server is asked what became of it: a sheet that was received
 * becomes labels, whatever happens to the server. One that was not is sent once more.
 * @throws ApiError why no labels were made, or why nobody knows
 */
export async function makeLabels(
  sent: SentLabels,
  sending: Sending,
  lost: { printId: string } | null = null,
): Promise<ReceivedLabels> {
  const answer = await send(sent, { ...sending, printId: lost?.printId ?? newPrintId() });
  if ("received" in answer) return answer;
  const found = await findLabels({ ...sending, ...answer, isAgain: lost !== null });
  return found ?? makeLabels(sent, sending, answer);
}

/** Labels whose answer was late or lost; `failure` is how it was lost, null for a late one. */
type Lost = { printId: string; failure: ApiError | null };

async function send(
  { file, rows, cells, choices }: SentLabels,
  { printId, ...sending }: Sending & { printId: string | null },
): Promise<ReceivedLabels | Lost> {
  const query = rows === "all" ? {} : { rows };
  const body = { ...sentBody({ cells, choices }), ...(printId === null ? {} : { print_id: printId }) };
  try {
    const received = await call(createLabels, { query, body, file, ...sending });
    // The answer of labels that are still being made is no document.
    if (received.blob.type.startsWith(PDF_MEDIA_TYPE)) return { uploadId: received.of, received };
    return { printId: printId ?? (await printIdOf(received)), failure: null };
  } catch (error) {
    if (!isLost(error) || printId === null) throw error;
    return { printId, failure: error };
  }
}

/** Null where the browser makes none: on plain http away from localhost. */
const newPrintId = (): string | null => ("randomUUID" in crypto ? crypto.randomUUID() : null);

/** The id that the server gave labels itself, in an answer that they are still being made. */
const printIdOf = async ({ blob }: ReceivedDocument): Promise<string> =>
  ((await readErrorBody(blob)) as { print_id: string }).print_id;

/** Statuses of a proxy that had no answer of ours, which would have a code. */
const PROXY = [502, 503, 504];

const isLost = (error: unknown): error is ApiError =>
  error instanceof ApiError &&
  error.code === null &&
  (isUnanswered(error) || PROXY.includes(error.status ?? 0));

const ASK_EVERY_MS = 2_000;
/** A line or a server that is gone for longer is a failure. */
const MAX_UNANSWERED = 10;

/** `isAgain`: the sheet was sent twice, and is not sent a third time. */
type Asked = Lost & { realmId: string; signal: AbortSignal; isAgain: boolean };

/** Labels whose answer was late or lost, once they are made; null when the sheet was not received and may be sent again. */
async function findLabels(asked: Asked): Promise<ReceivedLabels | null> {
  const { printId, realmId, signal, failure, isAgain } = asked;
  for (let unanswered = 0; ; await pause(signal)) {
    try {
      const params = { print_id: printId };
      const { upload_id: uploadId } = await call(findPrint, { params, signal, realmId });
      if (uploadId !== null) return { uploadId, received: null };
      unanswered = 0;
    } catch (error) {
      if (httpStatus(error) === 404 && failure !== null) {
        if (isAgain) throw failure;
        return null;
      }
      unanswered += 1;
      if (!isLost(error) || unanswered >= MAX_UNANSWERED) throw error;
    }
  }
}

const pause = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ASK_EVERY_MS);
    signal.addEventListener("abort", end, { once: true });
  });
