import type { ProfileContent } from "#features/labels/profiles/contract.ts";
import { DrawnLabel } from "#features/labels/web/drawn-label.tsx";
import { profileWords as words } from "#features/labels/web/profiles/words.ts";
import { profileDrawingQuery } from "#features/labels/web/queries.ts";
import { FailedCall } from "#web/kit/failed-call.tsx";
import { Notice } from "#web/kit/notice.tsx";
import { SelectField } from "#web/kit/select-field.tsx";
import { Spinner } from "#web/kit/spinner.tsx";
import Box from "@mui/material/Box";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";

/** Milliseconds without a key before the label is drawn: else every letter would ask the server. */
const PAUSE_MS = 250;

/** The label that a profile would print, as it is being edited. */
export function ProfilePreview({ realmId, content }: { realmId: string; content: ProfileContent }) {
  const [country, setCountry] = useState<"US" | "CA">("US");
  const [drawn, setDrawn] = useState(content);
  useEffect(() => {
    const timer = setTimeout(() => setDrawn(content), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [content]);
  const { data, error } = useQuery(profileDrawingQuery(realmId, { content: drawn, country }));
  return (
    <Box component="section" aria-label={words.preview} sx={{ position: { md: "sticky" }, top: { md: 80 } }}>
      <Box sx={{ mb: 1.5 }}>
        <SelectField
          label={words.country}
          labelAt="above"
          value={country}
          options={words.countries}
          onChange={(value) => setCountry(value as typeof country)}
        />
      </Box>
      {data ? (
        <DrawnLabel drawing={data.drawing} label={words.previewOf} />
      ) : error ? null : (
        <Spinner label={words.drawing} />
      )}
      <FailedCall error={error} />
      {data && data.faults.length > 0 ? (
        <Box sx={{ mt: 2 }}>
          <Notice tone="amber" title={words.faults}>
            {data.faults.map((fault) => (
              <p key={fault}>{fault}</p>
            ))}
          </Notice>
        </Box>
      ) : null}
    </Box>
  );
}
