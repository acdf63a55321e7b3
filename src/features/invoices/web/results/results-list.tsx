import { PAGE_SIZE, uploadsQuery } from "#features/invoices/web/queries.ts";
import { UploadResults } from "#features/invoices/web/results/upload-results.tsx";
import { useUploadNews } from "#features/invoices/web/results/use-upload-news.ts";
import { uploadWords } from "#features/invoices/web/words.ts";
import { boot } from "#web/kit/boot.ts";
import { Card } from "#web/kit/card.tsx";
import { FailedCall } from "#web/kit/failed-call.tsx";
import { Spinner } from "#web/kit/spinner.tsx";
import { PlainLink } from "#web/kit/text-link.tsx";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";

const words = uploadWords.results;
const MOST = 200;

/** The latest uploads of a company, newest first, with what became of their rows. */
export function ResultsList({ realmId }: { realmId: string | null }) {
  return (
    <Card title={words.title}>{realmId ? <Uploads realmId={realmId} /> : <p>{words.noCompany}</p>}</Card>
  );
}

function Uploads({ realmId }: { realmId: string }) {
  const [limit, setLimit] = useState(PAGE_SIZE);
  const { data, error, isPending, refetch } = useQuery(uploadsQuery(realmId, limit));
  useUploadNews(data?.uploads);
  const uploads = data?.uploads ?? [];
  return (
    <>
      {isPending ? <Spinner label={words.loading} /> : null}
      <FailedCall error={error} onRetry={() => void refetch()} />
      {data && uploads.length === 0 ? <p>{words.none}</p> : null}
      {uploads.length > 0 && boot.simulators ? (
        <p style={{ marginTop: 0 }} data-print="never">
          <PlainLink href={boot.simulators.intuit}>{words.books}</PlainLink>
        </p>
      ) : null}
      {uploads.map((upload, index) => (
        <UploadResults key={upload.id} realmId={realmId} upload={upload} startsOpen={index === 0} />
      ))}
      {data && data.total_count > uploads.length ? (
        <Box sx={{ display: "flex", flexWrap: "wrap", alignItems: "center", gap: 2, mt: 2 }}>
          <span>{words.showing(uploads.length, data.total_count)}</span>
          {limit < MOST ? (
            <Button variant="outlined" onClick={() => setLimit(limit + PAGE_SIZE)}>
              {words.showMore}
            </Button>
          ) : null}
        </Box>
      ) : null}
    </>
  );
}
