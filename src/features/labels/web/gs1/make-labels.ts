import { createLabels, PDF_MEDIA_TYPE, readLabelUpload } from "#features/labels/contract.ts";
import type { LabelChoices } from "#features/labels/web/print-choices.tsx";
import { sentBody } from "#features/labels/web/rules.ts";
import type { FixedCell } from "#features/sheets/web/review.ts";
import { call, type ReceivedDocument } from "#web/kit/api-client.ts";
import { ApiError, httpStatus, isUnanswered, readErrorBody } from "#web/kit/api-error.ts";

/** A file with its corrections; `good` leaves rows with errors out. */
export type SentLabels = {
  file: File;
  rows: "all" | "good";
  cells: readonly FixedCell[];
  choices: LabelChoices;
};

/** The upload that has the labels, and their document unless the answer was late or lost. */
export type ReceivedLabels = { uploadId: string | undefined; received: ReceivedDocument | null };

type Sending = {
  /** Under which the server knows the sheet, however often it is sent. */
  uploadId: string | null;
  onUploadProgress: (percent: number) => void;
  signal: AbortSignal;
  realmId: string;
};

/**
 * Sends a sheet. If the answer is late or lost, the page polls the upload by its id: a sheet that was
 * received becomes labels even if the server restarts. One that was not received is sent once more.
 * @throws ApiError the reason why no labels were made, or that the outcome is unknown
 */
export async function makeLabels(sent: SentLabels, sending: Sending): Promise<ReceivedLabels> {
  for (let sends = 1; ; sends += 1) {
    const answer = await send(sent, sending);
    if ("received" in answer) return answer;
    try {
      return { uploadId: await untilMade(answer.uploadId, sending), received: null };
    } catch (error) {
      if (httpStatus(error) !== 404 || answer.failure === null) throw error;
      if (sends === 2) throw answer.failure;
    }
  }
}

/** An upload whose answer was late or lost; `failure` is null for a late one. */
type Pending = { uploadId: string; failure: ApiError | null };

async function send(
  { file, rows, cells, choices }: SentLabels,
  { uploadId, ...sending }: Sending,
): Promise<ReceivedLabels | Pending> {
  const query = rows === "all" ? {} : { rows };
  const body = { ...sentBody({ cells, choices }), ...(uploadId === null ? {} : { print_id: uploadId }) };
  try {
    const received = await call(createLabels, { query, body, file, ...sending });
    // A 202 answer for labels in progress is not a document.
    if (received.blob.type.startsWith(PDF_MEDIA_TYPE)) return { uploadId: received.of, received };
    const late = (await readErrorBody(received.blob)) as { upload_id: string };
    return { uploadId: late.upload_id, failure: null };
  } catch (error) {
    if (!isLost(error) || uploadId === null) throw error;
    return { uploadId, failure: error };
  }
}

/** Null in browsers without `randomUUID`: on plain http outside localhost. */
export const newUploadId = (): string | null => ("randomUUID" in crypto ? crypto.randomUUID() : null);

/** Status codes of a proxy that got no answer from us; our own answers have a code. */
const PROXY = [502, 503, 504];

const isLost = (error: unknown): error is ApiError =>
  error instanceof ApiError &&
  error.code === null &&
  (isUnanswered(error) || PROXY.includes(error.status ?? 0));

const ASK_EVERY_MS = 2_000;
/** Maximum failed polls in a row before the upload counts as failed. */
const MAX_UNANSWERED = 10;

/** Polls until an upload is made. @returns the upload that has the labels */
async function untilMade(id: string, { signal, realmId }: Sending): Promise<string> {
  for (let unanswered = 0; ; await pause(signal)) {
    try {
      const { labels } = await call(readLabelUpload, { params: { upload_id: id }, signal, realmId });
      if (labels) return labels.id;
      unanswered = 0;
    } catch (error) {
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
