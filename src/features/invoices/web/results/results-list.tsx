import { UploadResults } from "#features/invoices/web/results/upload-results.tsx";
import { useUploadNews } from "#features/invoices/web/results/use-upload-news.ts";
import { useUploads } from "#features/invoices/web/results/use-uploads.ts";
import { uploadWords } from "#features/invoices/web/words.ts";
import { boot } from "#web/kit/boot.ts";
import { Card } from "#web/kit/card.tsx";
import { FailedCall } from "#web/kit/failed-call.tsx";
import { Spinner } from "#web/kit/spinner.tsx";
import { PlainLink } from "#web/kit/text-link.tsx";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";

const words = uploadWords.results;

/** The latest uploads of a company, newest first, with what became of their rows. */
export function ResultsList({ realmId }: { realmId: string | null }) {
  return (
    <Card title={words.title}>{realmId ? <Uploads realmId={realmId} /> : <p>{words.noCompany}</p>}</Card>
  );
}

function Uploads({ realmId }: { realmId: string }) {
  const { newest, uploads, total, error, retry, isLoadingMore, showMore } = useUploads(realmId);
  useUploadNews(newest.data ? uploads : undefined);
  return (
    <>
      {newest.isPending ? <Spinner label={words.loading} /> : null}
      <FailedCall error={error} onRetry={retry} />
      {newest.data && uploads.length === 0 ? <p>{words.none}</p> : null}
      {uploads.length > 0 && boot.simulators ? (
        <p style={{ marginTop: 0 }} data-print="never">
          <PlainLink href={boot.simulators.intuit}>{words.books}</PlainLink>
        </p>
      ) : null}
      {uploads.map((upload, index) => (
        <UploadResults key={upload.id} realmId={realmId} upload={upload} startsOpen={index === 0} />
      ))}
      {total > uploads.length ? (
        <Box sx={{ display: "flex", flexWrap: "wrap", alignItems: "center", gap: 2, mt: 2 }}>
          <span>{words.showing(uploads.length, total)}</span>
          <Button variant="outlined" disabled={isLoadingMore} onClick={showMore}>
            {words.showMore}
          </Button>
        </Box>
      ) : null}
    </>
  );
}
