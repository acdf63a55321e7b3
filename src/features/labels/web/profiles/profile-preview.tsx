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
import { useSettled } from "#web/kit/use-search.ts";
import { useState } from "react";

/** The label that a profile would print, as it is being edited. */
export function ProfilePreview({ realmId, content }: { realmId: string; content: ProfileContent }) {
  const [country, setCountry] = useState<"US" | "CA">("US");
  const drawn = useSettled(content);
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
      <Sentences tone="amber" title={words.faults} sentences={data?.faults} />
      <Sentences tone="blue" title={words.remarks} sentences={data?.remarks} />
    </Box>
  );
}

type SentencesProps = { tone: "amber" | "blue"; title: string; sentences: readonly string[] | undefined };

const Sentences = ({ tone, title, sentences = [] }: SentencesProps) =>
  sentences.length === 0 ? null : (
    <Box sx={{ mt: 2 }}>
      <Notice tone={tone} title={title}>
        {sentences.map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
      </Notice>
    </Box>
  );
