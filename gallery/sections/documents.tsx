import { downloadLabelFile, downloadPackingSlip } from "#features/shipping/contract.ts";
import { Row } from "../sample.tsx";
import { galleryWords } from "../words.ts";
import { ApiError } from "#web/kit/api-error.ts";
import { call } from "#web/kit/api-client.ts";
import { SubmitButton } from "#web/kit/busy-button.tsx";
import { Card } from "#web/kit/card.tsx";
import { DownloadButton, PrintButton } from "#web/kit/document-buttons.tsx";
import { kitWords } from "#web/kit/words.ts";
import { sampleLabel } from "../sample-label.ts";

const { parts, sample } = galleryWords;

/** A server error, with its support id. */
const refused = new ApiError({
  message: galleryWords.failure,
  status: 500,
  code: null,
  requestId: sample.supportId,
});

/** Document buttons: idle, busy, after a failure, and two that work. */
export function Documents() {
  const { slip, label, detail } = sample.documents;
  return (
    <>
      <Card title={parts.downloads}>
        <Row>
          {([false, true] as const).map((isBusy) => (
            <SubmitButton
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
            fetchDocument={(filename) => call(downloadPackingSlip, { params: { filename }, query: {} })}
          />
          <DownloadButton
            type={label.type}
            detail={detail}
            fileName={label.fileName}
            fetchDocument={(filename) => call(downloadLabelFile, { params: { filename } })}
          />
          <DownloadButton
            type={sample.documents.report}
            fileName={null}
            fetchDocument={(filename) => call(downloadPackingSlip, { params: { filename }, query: {} })}
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
