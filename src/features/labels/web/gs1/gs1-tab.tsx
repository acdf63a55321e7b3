import type { SessionCompany } from "#features/identity/contract.ts";
import { ResultCard } from "#features/labels/web/gs1/result-card.tsx";
import type { MadeLabels } from "#features/labels/web/gs1/use-label-upload.ts";
import { UploadPanel } from "#features/labels/web/gs1/upload-panel.tsx";
import { LabelSettings } from "#features/labels/web/settings/label-settings.tsx";
import { useState } from "react";

/** A sheet in, labels out; below, what the company said of its labels. */
export function Gs1Tab({ company }: { company: SessionCompany }) {
  const [made, setMade] = useState<MadeLabels | null>(null);
  return (
    <>
      <UploadPanel company={company} onMade={setMade} />
      {made ? (
        <ResultCard key={made.uploadId} realmId={company.id} made={made} onClose={() => setMade(null)} />
      ) : null}
      <LabelSettings company={company} />
    </>
  );
}
