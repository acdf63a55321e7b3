import type { LabelChoices } from "#features/labels/web/print/print-choices.tsx";
import { listLabelUploads, readLabelUpload, reviewLabels } from "#features/labels/contract.ts";
import { drawLabel, type Paper } from "#features/labels/print/contract.ts";
import { drawProfile, listProfiles, type ProfileContent } from "#features/labels/profiles/contract.ts";
import { readLabelSettings } from "#features/labels/settings/contract.ts";
import { verifyLabels } from "#features/labels/trail/contract.ts";
import { sentBody } from "#features/labels/web/rules.ts";
import type { FixedCell } from "#features/sheets/web/index.ts";
import { call } from "#web/kit/api-client.ts";
import { queryKeys } from "#web/kit/query-client.ts";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";

/** One upload's labels. */
export const labelUploadQuery = (realmId: string, id: string) =>
  queryOptions({
    queryKey: [...queryKeys.labels(realmId), "upload", id] as const,
    queryFn: ({ signal }) => call(readLabelUpload, { params: { upload_id: id }, signal, realmId }),
  });

/** What the company said of its labels. */
export const labelSettingsQuery = (realmId: string) =>
  queryOptions({
    queryKey: [...queryKeys.labels(realmId), "settings"] as const,
    queryFn: ({ signal }) => call(readLabelSettings, { signal }),
  });

/** Sheets that became labels, the newest first, and those that are becoming labels, which is looked at again. */
export const labelUploadsQuery = (realmId: string) =>
  queryOptions({
    queryKey: [...queryKeys.labels(realmId), "uploads"] as const,
    queryFn: ({ signal }) => call(listLabelUploads, { signal }),
    refetchInterval: ({ state: { data } }) =>
      data?.requests.some(({ problem }) => problem === null) ? 2_000 : false,
  });

/** One label as it is drawn, on some paper or on the company's own. */
export const drawingQuery = (realmId: string, id: string, { seq, paper }: { seq: number; paper?: Paper }) =>
  queryOptions({
    queryKey: [...queryKeys.labels(realmId), "drawing", id, seq, paper ?? ""] as const,
    queryFn: ({ signal }) =>
      call(drawLabel, { params: { upload_id: id, seq }, query: paper ? { paper } : {}, signal }),
    placeholderData: keepPreviousData,
  });

/** What is to be said of a file with the cells that were corrected; what was said before is shown meanwhile. */
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

/** What was proven of an upload. */
export const verificationQuery = (realmId: string, id: string) =>
  queryOptions({
    queryKey: [...queryKeys.labels(realmId), "verification", id] as const,
    queryFn: ({ signal }) => call(verifyLabels, { params: { upload_id: id }, signal }),
  });

/** Profiles that labels can be made with. */
export const labelProfilesQuery = (realmId: string) =>
  queryOptions({
    queryKey: [...queryKeys.labels(realmId), "profiles"] as const,
    queryFn: ({ signal }) => call(listProfiles, { signal }),
  });

/** A label as a profile would print it. */
export const profileDrawingQuery = (
  realmId: string,
  body: { content: ProfileContent; country: "US" | "CA" },
) =>
  queryOptions({
    queryKey: [...queryKeys.labels(realmId), "profile drawing", body] as const,
    queryFn: ({ signal }) => call(drawProfile, { body, signal }),
    placeholderData: keepPreviousData,
    gcTime: 0,
  });
