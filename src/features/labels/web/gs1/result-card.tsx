import type { LabelUploadView } from "#features/labels/contract.ts";
import type { MadeLabels } from "#features/labels/web/gs1/use-label-upload.ts";
import { labelUploadQuery } from "#features/labels/web/queries.ts";
import { labelWords } from "#features/labels/web/words.ts";
import { BusyButton } from "#web/kit/busy-button.tsx";
import { FailedCall } from "#web/kit/failed-call.tsx";
import { formatCount } from "#web/kit/format.ts";
import { Icon } from "#web/kit/icon.tsx";
import { printDocument } from "#web/kit/print-document.ts";
import { saveDocument } from "#web/kit/save-document.ts";
import { Spinner } from "#web/kit/spinner.tsx";
import { NumberTable } from "#web/kit/tables/number-table.tsx";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Typography from "@mui/material/Typography";
import { useMutation, useQuery } from "@tanstack/react-query";
import { CircleCheck } from "lucide-react";

const words = labelWords.result;

type Props = { realmId: string; made: MadeLabels; onClose: () => void };

/** What was made of a file, and what to do with it. */
export function ResultCard({ realmId, made, onClose }: Props) {
  const { data, error, refetch } = useQuery(labelUploadQuery(realmId, made.uploadId));
  if (error) return <FailedCall error={error} onRetry={() => void refetch()} />;
  if (!data) return <Spinner label={words.loading} />;
  return (
    <Box component="section" aria-labelledby="made-labels" sx={{ mt: 4 }}>
      <Made upload={data} made={made} onClose={onClose} />
    </Box>
  );
}

function Made({ upload, made, onClose }: { upload: LabelUploadView; made: MadeLabels; onClose: () => void }) {
  const { received } = made;
  const print = useMutation({ mutationFn: () => printDocument(() => Promise.resolve(received)) });
  return (
    <div>
      <Box component="p" sx={{ display: "flex", gap: 0.5, m: 0, fontWeight: 700, color: "secondary.ink" }}>
        <Icon of={CircleCheck} /> {words.ready}
      </Box>
      <Typography variant="h2" id="made-labels" sx={{ mt: 0.5, overflowWrap: "anywhere" }}>
        {words.title(upload.label_count, upload.filename)}
      </Typography>
      <Box component="p" sx={{ mt: 0.5, mb: 0, color: "text.secondary" }}>
        {words.about(upload.orders.length, upload.made_at)}
      </Box>
      {upload.prints > 1 ? <p>{words.again(upload.prints)}</p> : null}
      <Box sx={{ display: "flex", flexWrap: "wrap", gap: 1.5, mt: 3 }}>
        <BusyButton
          variant="contained"
          size="large"
          label={words.print(upload.label_count)}
          isBusy={print.isPending}
          onClick={() => print.mutate()}
        />
        <Button variant="outlined" size="large" onClick={() => saveDocument(received, received.filename)}>
          {words.download}
        </Button>
        <Button variant="outlined" size="large" onClick={onClose}>
          {words.another}
        </Button>
      </Box>
      <FailedCall error={print.error} />
      <Box component="p" sx={{ mt: 1.5, mb: 0, typography: "caption", color: "text.caption" }}>
        {words.hint}
      </Box>
      <Orders upload={upload} />
    </div>
  );
}

function Orders({ upload }: { upload: LabelUploadView }) {
  return (
    <NumberTable
      label={words.table}
      heads={words.heads}
      rows={upload.orders.map(({ po_number: po, count, first_sscc: first, last_sscc: last }) => [
        po,
        formatCount(count),
        words.range(first, last),
      ])}
    />
  );
}
