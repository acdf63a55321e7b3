import { exportSsccs, exportSsccWorkbook } from "#features/labels/trail/contract.ts";
import { labelUploadsQuery } from "#features/labels/web/queries.ts";
import { labelWords } from "#features/labels/web/words.ts";
import { call } from "#web/kit/api-client.ts";
import { BusyButton } from "#web/kit/busy-button.tsx";
import { Card } from "#web/kit/card.tsx";
import { DownloadButton } from "#web/kit/document-buttons.tsx";
import { ErrorBlock } from "#web/kit/error-block.tsx";
import { FailedCall } from "#web/kit/failed-call.tsx";
import { counted, formatDateTime } from "#web/kit/format.ts";
import { LIST, ListRow } from "#web/kit/lists.tsx";
import Box from "@mui/material/Box";
import { useQuery } from "@tanstack/react-query";

const words = labelWords.earlier;

type Props = { realmId: string; opened: string | null; onOpen: (id: string) => void };

/**
 * Sheets that became labels, which can be printed again at any time; those that are becoming labels, and those that did
 * not while nobody looked.
 */
export function EarlierUploads({ realmId, opened, onOpen }: Props) {
  const { data, error, refetch } = useQuery(labelUploadsQuery(realmId));
  const { uploads = [], requests = [] } = data ?? {};
  const others = uploads.filter(({ id }) => id !== opened);
  const making = requests.filter(({ problem }) => problem === null);
  const refused = requests.filter(({ problem }) => problem !== null);
  if (data && uploads.length + requests.length === 0) return null;
  return (
    <Card
      title={words.title}
      printed={false}
      actions={
        <Box sx={{ display: "flex", flexWrap: "wrap", columnGap: 3 }}>
          {words.ssccs.map(({ type, fileName }, at) => (
            <DownloadButton
              key={fileName}
              type={type}
              fileName={fileName}
              look="link"
              fetchDocument={() => (at === 0 ? call(exportSsccWorkbook, {}) : call(exportSsccs, {}))}
            />
          ))}
        </Box>
      }
    >
      {error ? <FailedCall error={error} onRetry={() => void refetch()} /> : null}
      {refused.map(({ print_id: id, filename, problem, asked_at: askedAt, asked_by: askedBy }) => (
        <ErrorBlock key={id} role="group" title={words.refused(filename)} message={problem}>
          <p>{words.about(formatDateTime(askedAt), askedBy)}</p>
        </ErrorBlock>
      ))}
      {data && others.length + requests.length === 0 ? <p style={{ margin: 0 }}>{words.none}</p> : null}
      <Box component="ul" sx={LIST}>
        {making.map(({ print_id: id, filename, asked_at: askedAt, asked_by: askedBy }) => (
          <ListRow
            key={id}
            name={filename}
            facts={[words.making, words.about(formatDateTime(askedAt), askedBy)]}
          />
        ))}
        {others.map(({ id, filename, label_count: count, made_at: madeAt, made_by: madeBy }) => (
          <ListRow
            key={id}
            name={filename}
            facts={[counted(count, "label"), words.about(formatDateTime(madeAt), madeBy)]}
          >
            <BusyButton
              variant="text"
              label={words.open}
              detail={filename}
              isBusy={false}
              onClick={() => onOpen(id)}
            />
          </ListRow>
        ))}
      </Box>
    </Card>
  );
}
