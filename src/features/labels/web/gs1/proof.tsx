import { proofWords } from "#features/labels/web/gs1/words.ts";
import type { LabelUploadView } from "#features/labels/contract.ts";
import { exportCartons, printVerification, type Verification } from "#features/labels/trail/contract.ts";
import { verificationQuery } from "#features/labels/web/queries.ts";
import { call } from "#web/kit/api-client.ts";
import { DownloadButton } from "#web/kit/document-buttons.tsx";
import { FailedCall } from "#web/kit/failed-call.tsx";
import { Notice } from "#web/kit/notice.tsx";
import { Spinner } from "#web/kit/spinner.tsx";
import Box from "@mui/material/Box";
import Typography from "@mui/material/Typography";
import { useQuery } from "@tanstack/react-query";

const words = proofWords;

/** Faults that the page names; the report has them all. */
const SHOWN = 5;

type Props = { realmId: string; upload: LabelUploadView };

/** What was proven of the bar codes of an upload, and its cartons as data. */
export function Proof({ realmId, upload }: Props) {
  const { data, error, refetch } = useQuery(verificationQuery(realmId, upload.id));
  const params = { upload_id: upload.id };
  return (
    <Box component="section" aria-labelledby="label-proof" sx={{ mt: 4 }}>
      <Typography variant="h3" id="label-proof">
        {words.title}
      </Typography>
      {error ? <FailedCall error={error} onRetry={() => void refetch()} /> : null}
      {data ? <Result proof={data} /> : error ? null : <Spinner label={words.loading} />}
      <Box sx={{ display: "flex", flexWrap: "wrap", columnGap: 3, rowGap: 1, mt: 1.5 }}>
        <DownloadButton
          type={words.report}
          fileName={words.reportName}
          look="link"
          fetchDocument={() => call(printVerification, { params })}
        />
        {data ? (
          <DownloadButton
            type={words.data}
            fileName={words.dataName}
            look="link"
            fetchDocument={() => Promise.resolve({ blob: asJson(data), filename: null })}
          />
        ) : null}
        {words.cartons.map(({ format, type, fileName }) => (
          <DownloadButton
            key={format}
            type={type}
            fileName={fileName}
            look="link"
            fetchDocument={() => call(exportCartons, { params: { ...params, format } })}
          />
        ))}
      </Box>
      <Box component="p" sx={{ mt: 1, mb: 0, typography: "caption", color: "text.caption" }}>
        {words.hint}
      </Box>
    </Box>
  );
}

const asJson = (proof: Verification) =>
  new Blob([JSON.stringify(proof, null, 2)], { type: "application/json" });

function Result({ proof: { faults, symbol_count: count, sample, resolution } }: { proof: Verification }) {
  if (faults.length === 0)
    return <p>{words.good(count, { symbols: sample.symbols, labels: sample.labels, resolution })}</p>;
  return (
    <Notice tone="red" role="alert" title={words.bad(faults.length)}>
      <ul>
        {faults.slice(0, SHOWN).map(({ label, fault }) => (
          <li key={`${label} ${fault}`}>{words.fault(label, fault)}</li>
        ))}
      </ul>
    </Notice>
  );
}
