import type { SessionCompany } from "#features/identity/contract.ts";
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
import { exportSsccs } from "#features/labels/contract.ts";
import { call } from "#web/kit/api-client.ts";
import { BusyButton } from "#web/kit/busy-button.tsx";
import { Card } from "#web/kit/card.tsx";
import { DownloadButton } from "#web/kit/document-buttons.tsx";
import { ErrorBlock } from "#web/kit/error-block.tsx";
import { FailedCall } from "#web/kit/failed-call.tsx";
import { counted, formatMoment } from "#web/kit/format.ts";
import { LIST, ListRow } from "#web/kit/lists.tsx";
import Box from "@mui/material/Box";

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

const words = labelWords.earlier;

type Props = { realmId: string; opened: string | null; onOpen: (id: string) => void };

/** Earlier uploads: made ones can be printed again, queued ones show their state, refused ones their reason. */
function EarlierUploads({ realmId, opened, onOpen }: Props) {
  const { data, error, refetch } = useQuery(labelUploadsQuery(realmId));
  const { uploads = [] } = data ?? {};
  const refused = uploads.filter(({ state }) => state === "refused");
  const listed = uploads.filter(({ id, state }) => state !== "refused" && id !== opened);
  if (data && uploads.length === 0) return null;
  return (
    <Card
      title={words.title}
      printed={false}
      actions={
        <DownloadButton
          type={words.ssccs}
          fileName="ssccs.csv"
          look="link"
          fetchDocument={() => call(exportSsccs, { query: {} })}
        />
      }
    >
      {error ? <FailedCall error={error} onRetry={() => void refetch()} /> : null}
      {refused.map(({ id, filename, problem, uploaded_at: at, uploaded_by: by }) => (
        <ErrorBlock key={id} role="group" title={words.refused(filename)} message={problem}>
          <p>{words.about(formatMoment(at), by)}</p>
        </ErrorBlock>
      ))}
      {data && listed.length + refused.length === 0 ? <p style={{ margin: 0 }}>{words.none}</p> : null}
      <Box component="ul" sx={LIST}>
        {listed.map(({ id, state, filename, label_count: count, uploaded_at: at, uploaded_by: by }) => (
          <ListRow
            key={id}
            name={filename}
            facts={[state === "queued" ? words.making : counted(count, "label"), formatMoment(at), by]}
          >
            {state === "queued" ? null : (
              <BusyButton
                variant="text"
                label={words.open}
                detail={filename}
                isBusy={false}
                onClick={() => onOpen(id)}
              />
            )}
          </ListRow>
        ))}
      </Box>
    </Card>
  );
}
