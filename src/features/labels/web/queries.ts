import {
  drawLabel,
  listLabelUploads,
  readLabelSettings,
  readLabelUpload,
  reviewLabels,
  type Paper,
} from "#features/labels/contract.ts";
import type { LabelChoices } from "#features/labels/web/print-choices.tsx";
import { sentBody } from "#features/labels/web/rules.ts";
import type { FixedCell } from "#features/sheets/web/review.ts";
import { call } from "#web/kit/api-client.ts";
import { queryKeys } from "#web/kit/query-client.ts";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";

/** Interval at which the page reads the state of queued uploads. */
const QUEUED_MS = 2_000;

/** An upload and its labels. */
export const labelUploadQuery = (realmId: string, id: string) =>
  queryOptions({
    queryKey: [...queryKeys.labels(realmId), "upload", id] as const,
    queryFn: ({ signal }) => call(readLabelUpload, { params: { upload_id: id }, signal, realmId }),
    refetchInterval: ({ state: { data } }) => (data?.state === "queued" ? QUEUED_MS : false),
  });

/** Label settings of the company. */
export const labelSettingsQuery = (realmId: string) =>
  queryOptions({
    queryKey: [...queryKeys.labels(realmId), "settings"] as const,
    queryFn: ({ signal }) => call(readLabelSettings, { signal }),
  });

/** Label uploads, newest first. */
export const labelUploadsQuery = (realmId: string) =>
  queryOptions({
    queryKey: [...queryKeys.labels(realmId), "uploads"] as const,
    queryFn: ({ signal }) => call(listLabelUploads, { signal }),
    refetchInterval: ({ state: { data } }) =>
      data?.uploads.some(({ state }) => state === "queued") ? QUEUED_MS : false,
  });

/** Drawing of one label, on some paper or the company's own. */
export const drawingQuery = (realmId: string, id: string, { seq, paper }: { seq: number; paper?: Paper }) =>
  queryOptions({
    queryKey: [...queryKeys.labels(realmId), "drawing", id, seq, paper ?? ""] as const,
    queryFn: ({ signal }) =>
      call(drawLabel, { params: { upload_id: id, seq }, query: paper ? { paper } : {}, signal }),
    placeholderData: keepPreviousData,
  });

/** Review of a file with its corrections; the previous one is shown meanwhile. */
export const labelReviewQuery = (
  realmId: string,
  { file, at }: { file: File; at: number },
  { cells, choices }: { cells: readonly FixedCell[]; choices: LabelChoices },
) =>
  queryOptions({
    queryKey: [...queryKeys.labels(realmId), "review", at, cells, choices] as const,
    queryFn: ({ signal }) => call(reviewLabels, { file, body: sentBody({ cells, choices }), signal }),
    placeholderData: keepPreviousData,
    gcTime: 0,
  });
