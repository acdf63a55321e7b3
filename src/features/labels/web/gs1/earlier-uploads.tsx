import { exportSsccs } from "#features/labels/trail/contract.ts";
import { labelUploadsQuery } from "#features/labels/web/queries.ts";
import { labelWords } from "#features/labels/web/words.ts";
import { call } from "#web/kit/api-client.ts";
import { BusyButton } from "#web/kit/busy-button.tsx";
import { Card } from "#web/kit/card.tsx";
import { DownloadButton } from "#web/kit/download-button.tsx";
import { FailedCall } from "#web/kit/failed-call.tsx";
import { counted, formatDateTime } from "#web/kit/format.ts";
import { Spinner } from "#web/kit/spinner.tsx";
import Box from "@mui/material/Box";
import { useQuery } from "@tanstack/react-query";

const words = labelWords.earlier;

type Props = { realmId: string; opened: string | null; onOpen: (id: string) => void };

/** Sheets that became labels: their labels can be printed again at any time. */
export function EarlierUploads({ realmId, opened, onOpen }: Props) {
  const { data, error, refetch } = useQuery(labelUploadsQuery(realmId));
  const others = data?.uploads.filter(({ id }) => id !== opened) ?? [];
  if (data?.uploads.length === 0) return null;
  return (
    <Card
      title={words.title}
      printed={false}
      actions={
        <DownloadButton
          type={words.ssccs}
          fileName={words.ssccsName}
          look="link"
          fetchDocument={() => call(exportSsccs, {})}
        />
      }
    >
      {error ? <FailedCall error={error} onRetry={() => void refetch()} /> : null}
      {data || error ? null : <Spinner label={words.loading} />}
      <Box component="ul" sx={{ listStyle: "none", m: 0, p: 0 }}>
        {others.map(({ id, filename, label_count: count, made_at: madeAt, made_by: madeBy }) => (
          <Box
            key={id}
            component="li"
            sx={{
              display: "flex",
              flexWrap: "wrap",
              alignItems: "center",
              columnGap: 2,
              py: 0.5,
              borderBottom: 1,
              borderColor: "divider",
              overflowWrap: "anywhere",
            }}
          >
            <b>{filename}</b>
            <span>{counted(count, "label")}</span>
            <Box component="span" sx={{ flex: 1, color: "text.secondary" }}>
              {words.about(formatDateTime(madeAt), madeBy)}
            </Box>
            <BusyButton
              variant="text"
              label={words.open}
              detail={filename}
              isBusy={false}
              onClick={() => onOpen(id)}
            />
          </Box>
        ))}
      </Box>
    </Card>
  );
}
