import { sampleCarrierLabel, samplePackingSlip } from "../contract.ts";
import { Row } from "../row.tsx";
import { sampleLabel } from "../sample-label.ts";
import { galleryWords } from "../words.ts";
import { ApiError } from "#web/kit/api-error.ts";
import { call } from "#web/kit/api-client.ts";
import { TriedButton } from "#web/kit/busy-button.tsx";
import { Card } from "#web/kit/card.tsx";
import { DownloadButton } from "#web/kit/download-button.tsx";
import { PrintButton } from "#web/kit/print-button.tsx";
import { kitWords } from "#web/kit/words.ts";

const { parts, sample } = galleryWords;

/** A failure of ours: it has a support id. */
const refused = new ApiError({
  message: galleryWords.failure,
  status: 500,
  code: null,
  requestId: sample.supportId,
});

/** Buttons of documents: at rest, busy, after a failure, and two that do what they say. */
export function Documents() {
  const { slip, label, detail } = sample.documents;
  return (
    <>
      <Card title={parts.downloads}>
        <Row>
          {([false, true] as const).map((isBusy) => (
            <TriedButton
              key={String(isBusy)}
              label={kitWords.download(sample.documents.report)}
              isBusy={isBusy}
              error={isBusy ? null : refused}
              onClick={() => undefined}
            />
          ))}
        </Row>
        <Row>
          <DownloadButton
            type={slip.type}
            detail={detail}
            fileName={slip.fileName}
            fetchDocument={(filename) => call(samplePackingSlip, { params: { filename } })}
          />
          <DownloadButton
            type={label.type}
            detail={detail}
            fileName={label.fileName}
            fetchDocument={(filename) => call(sampleCarrierLabel, { params: { filename } })}
          />
          <DownloadButton
            type={sample.documents.report}
            fileName={null}
            fetchDocument={(filename) => call(samplePackingSlip, { params: { filename } })}
          />
        </Row>
      </Card>
      <Card title={parts.printing}>
        <PrintButton
          detail={sample.documents.printed}
          fetchDocument={() =>
            Promise.resolve({ blob: sampleLabel(sample.documents.printed), filename: label.fileName })
          }
        />
      </Card>
    </>
  );
}
