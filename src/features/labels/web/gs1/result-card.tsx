import { resultWords } from "#features/labels/web/gs1/words.ts";
import { labelWords } from "#features/labels/web/words.ts";
import {
  exportSsccs,
  printLabels,
  type ChosenLabels,
  type LabelUploadView,
} from "#features/labels/contract.ts";
import { LabelPreview } from "#features/labels/web/gs1/label-preview.tsx";
import { OrdersTable } from "#features/labels/web/gs1/orders-table.tsx";
import { Remarks } from "#features/labels/web/gs1/remarks.tsx";
import { ReprintRange } from "#features/labels/web/gs1/reprint-range.tsx";
import type { MadeLabels } from "#features/labels/web/gs1/use-label-upload.ts";
import { PrintChoices, type PrintForm } from "#features/labels/web/print-choices.tsx";
import { TestPageLinks } from "#features/labels/web/test-page-links.tsx";
import { labelSettingsQuery, labelUploadQuery } from "#features/labels/web/queries.ts";
import { pdfName } from "#features/labels/web/rules.ts";
import { call } from "#web/kit/api-client.ts";
import { BusyButton } from "#web/kit/busy-button.tsx";
import { DownloadButton } from "#web/kit/document-buttons.tsx";
import { Disclosure } from "#web/kit/disclosure.tsx";
import { FailedCall } from "#web/kit/failed-call.tsx";
import { Icon } from "#web/kit/icon.tsx";
import { printDocument, saveDocument } from "#web/kit/documents.ts";
import { queryKeys } from "#web/kit/query-client.ts";
import { Spinner } from "#web/kit/spinner.tsx";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Typography from "@mui/material/Typography";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { CircleCheck } from "lucide-react";
import { useState } from "react";

const words = resultWords;

type Props = {
  realmId: string;
  uploadId: string;
  /** The answer if the labels were made on this page; null for earlier ones. */
  made: MadeLabels | null;
  onClose: () => void;
};

/** Labels of a file: preview, documents and reprints. */
export function ResultCard({ realmId, uploadId, made, onClose }: Props) {
  const { data, error, refetch } = useQuery(labelUploadQuery(realmId, uploadId));
  const [form, setForm] = useState<Partial<PrintForm>>(made?.form ?? {});
  if (error) return <FailedCall error={error} onRetry={() => void refetch()} />;
  if (!data?.labels) return <Spinner label={labelWords.result.loading} />;
  return (
    <Box
      component="section"
      aria-labelledby="made-labels"
      sx={{
        mt: 4,
        display: "grid",
        gridTemplateColumns: { xs: "minmax(0, 1fr)", md: "272px minmax(0, 1fr)" },
        gap: { xs: 3, md: 6 },
      }}
    >
      <LabelPreview realmId={realmId} upload={data.labels} {...(form.paper ? { paper: form.paper } : {})} />
      <FinishedLabels
        realmId={realmId}
        upload={data.labels}
        made={made}
        onClose={onClose}
        form={form}
        onForm={(change) => setForm({ ...form, ...change })}
      />
    </Box>
  );
}

type FinishedProps = Omit<Props, "uploadId"> & {
  upload: LabelUploadView;
  /** Print choices that differ from the company's settings. */
  form: Partial<PrintForm>;
  onForm: (change: Partial<PrintForm>) => void;
};

function FinishedLabels({ realmId, upload, made, onClose, form, onForm }: FinishedProps) {
  const count = upload.label_count;
  const usual = useQuery(labelSettingsQuery(realmId)).data;
  const documents = useDocuments(realmId, { upload, made, form });
  const printing = documents.print.isPending ? documents.print.variables : null;
  return (
    <div>
      <Box component="p" sx={{ display: "flex", gap: 0.5, m: 0, fontWeight: 700, color: "secondary.ink" }}>
        <Icon of={CircleCheck} /> {words.ready}
      </Box>
      <Typography variant="h2" id="made-labels" sx={{ mt: 0.5, overflowWrap: "anywhere" }}>
        {words.title(count, upload.filename)}
      </Typography>
      <Box component="p" sx={{ mt: 0.5, mb: 0, color: "text.secondary" }}>
        {words.about(upload.orders.length, upload.made_at)}
      </Box>
      <Came upload={upload} made={made} />
      <Remarks upload={upload} isAgain={made?.isAgain === true} settings={usual} />
      <Actions count={count} documents={documents} onClose={onClose} />
      <Box component="p" sx={{ mt: 1.5, mb: 2, typography: "caption", color: "text.caption" }}>
        {words.hint((form.paper ?? usual?.paper ?? "roll") === "roll")}
      </Box>
      <Disclosure title={words.options} variant="text" my={0.5}>
        {usual ? <PrintChoices form={{ ...usual, ...form }} onChange={onForm} /> : null}
        <TestPageLinks />
      </Disclosure>
      <p>{words.decoded}</p>
      <OrdersTable
        upload={upload}
        busy={printing?.po_number ?? null}
        onReprint={(po) => documents.print.mutate({ po_number: po })}
      />
      <ReprintRange
        isBusy={printing?.labels !== undefined}
        error={documents.rangeError}
        onReprint={(labels) => documents.print.mutate({ labels })}
      />
      <Box sx={{ mt: 2 }}>
        <DownloadButton
          type={words.cartons}
          fileName="ssccs.csv"
          look="link"
          fetchDocument={() => call(exportSsccs, { query: { upload_id: upload.id } })}
        />
      </Box>
    </div>
  );
}

/** Notes on labels whose first answer did not include them. */
function Came({ upload: { prints }, made }: Pick<FinishedProps, "upload" | "made">) {
  if (made && !made.received) return <p>{words.lost}</p>;
  return prints > 1 && !made?.isAgain ? <p>{words.again(prints)}</p> : null;
}

type ActionsProps = { count: number; documents: ReturnType<typeof useDocuments>; onClose: () => void };

function Actions({ count, documents: { print, download, zpl, error }, onClose }: ActionsProps) {
  return (
    <>
      <Box sx={{ display: "flex", flexWrap: "wrap", gap: 1.5, mt: 3 }}>
        <BusyButton
          variant="contained"
          label={words.print(count)}
          isBusy={print.isPending && Object.keys(print.variables).length === 0}
          onClick={() => print.mutate({})}
        />
        <BusyButton
          size="large"
          label={words.download}
          isBusy={download.isPending}
          onClick={() => download.mutate()}
        />
        <BusyButton size="large" label={words.zpl} isBusy={zpl.isPending} onClick={() => zpl.mutate()} />
        <Button variant="outlined" size="large" onClick={onClose}>
          {words.another}
        </Button>
      </Box>
      <FailedCall error={error} />
    </>
  );
}

type DocumentsOf = Pick<FinishedProps, "upload" | "made" | "form">;

/** Documents of an upload. The first one came with the answer; each later one counts as a print. */
function useDocuments(realmId: string, { upload, made, form }: DocumentsOf) {
  const queries = useQueryClient();
  const input = { params: { upload_id: upload.id } };
  const readAgain = () => queries.invalidateQueries({ queryKey: queryKeys.labels(realmId) });
  const pdf = (chosen: ChosenLabels) =>
    made?.received && form === made.form && Object.keys(chosen).length === 0
      ? Promise.resolve(made.received)
      : call(printLabels, { ...input, body: { ...form, ...chosen } });
  const print = useMutation({
    mutationFn: (chosen: ChosenLabels) => printDocument(() => pdf(chosen)),
    onSettled: readAgain,
  });
  const download = useMutation({
    mutationFn: () => pdf({}),
    onSuccess: (document) => {
      const filename = pdfName(document.filename, upload.filename);
      saveDocument({ ...document, filename }, filename);
      return readAgain();
    },
  });
  const zpl = useMutation({
    mutationFn: () => call(printLabels, { ...input, body: { ...form, format: "zpl" } }),
    onSuccess: (document) => {
      saveDocument(document, `${upload.filename}.zpl`);
      return readAgain();
    },
  });
  // A wrong range is reported at its input.
  const isOfRange = print.variables?.labels !== undefined;
  const error = (isOfRange ? null : print.error) ?? download.error ?? zpl.error;
  return { print, download, zpl, error, rangeError: isOfRange ? print.error : null };
}
