import { exportSsccs } from "#features/labels/contract.ts";
import { labelUploadsQuery } from "#features/labels/web/queries.ts";
import { labelWords } from "#features/labels/web/words.ts";
import { call } from "#web/kit/api-client.ts";
import { BusyButton } from "#web/kit/busy-button.tsx";
import { Card } from "#web/kit/card.tsx";
import { DownloadButton } from "#web/kit/document-buttons.tsx";
import { ErrorBlock } from "#web/kit/error-block.tsx";
import { FailedCall } from "#web/kit/failed-call.tsx";
import { counted, formatMoment } from "#web/kit/format.ts";
import { LIST, ListRow } from "#web/kit/lists.tsx";
import Box from "@mui/material/Box";
import { useQuery } from "@tanstack/react-query";

const words = labelWords.earlier;

type Props = { realmId: string; opened: string | null; onOpen: (id: string) => void };

/** Earlier uploads: made ones can be printed again, queued ones show their state, refused ones their reason. */
export function EarlierUploads({ realmId, opened, onOpen }: Props) {
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
