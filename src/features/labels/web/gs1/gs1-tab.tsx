import type { SessionCompany } from "#features/identity/contract.ts";
import { EarlierUploads } from "#features/labels/web/gs1/earlier-uploads.tsx";
import { UploadPanel } from "#features/labels/web/gs1/upload-panel.tsx";
import type { MadeLabels } from "#features/labels/web/gs1/use-label-upload.ts";
import { LabelSettings } from "#features/labels/web/settings/label-settings.tsx";
import { labelSettingsQuery, labelUploadsQuery } from "#features/labels/web/queries.ts";
import { labelWords } from "#features/labels/web/words.ts";
import { Spinner } from "#web/kit/spinner.tsx";
import { useIsHere } from "#web/kit/use-is-here.ts";
import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import { useSearchParams } from "react-router";

/** Loaded when there are labels to show. */
const ResultCard = lazy(async () => ({
  default: (await import("#features/labels/web/gs1/result-card.tsx")).ResultCard,
}));

/** Upload of a sheet and its labels; below them earlier uploads and the label settings. */
export function Gs1Tab({ company }: { company: SessionCompany }) {
  const [params, setParams] = useSearchParams();
  const [made, setMade] = useState<MadeLabels | null>(null);
  const isHere = useIsHere();
  const opened = params.get("upload");
  const open = (id: string | null) =>
    setParams(
      (before) => {
        const next = new URLSearchParams(before);
        if (id === null) next.delete("upload");
        else next.set("upload", id);
        return next;
      },
      { replace: true },
    );
  const finish = (labels: MadeLabels) => {
    if (!isHere()) return;
    setMade(labels);
    open(labels.uploadId);
  };
  return (
    <>
      <UploadPanel company={company} onChosen={() => open(null)} onMade={finish} />
      {opened ? (
        <Suspense fallback={<Spinner label={labelWords.result.loading} />}>
          <ResultCard
            key={opened}
            realmId={company.id}
            uploadId={opened}
            made={made?.uploadId === opened ? made : null}
            onClose={() => open(null)}
          />
        </Suspense>
      ) : null}
      <Stored company={company} opened={opened} onOpen={open} />
    </>
  );
}

type StoredProps = { company: SessionCompany; opened: string | null; onOpen: (id: string) => void };

/**
 * Earlier uploads and settings. They appear together, because a part that appeared later would move the one
 * below it.
 */
function Stored({ company, opened, onOpen }: StoredProps) {
  const uploads = useQuery(labelUploadsQuery(company.id));
  const settings = useQuery(labelSettingsQuery(company.id));
  // A part whose call failed retries when it appears.
  if (!uploads.isFetched || !settings.isFetched) return <Spinner label={labelWords.loading} />;
  return (
    <>
      <EarlierUploads realmId={company.id} opened={opened} onOpen={onOpen} />
      <LabelSettings company={company} />
    </>
  );
}
