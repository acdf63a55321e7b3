import { resultWords } from "#features/labels/web/gs1/words.ts";
import type { LabelUploadView } from "#features/labels/contract.ts";
import type { Paper } from "#features/labels/contract.ts";
import { DrawnLabel } from "#features/labels/web/drawn-label.tsx";
import { drawingQuery } from "#features/labels/web/queries.ts";
import { FailedCall } from "#web/kit/failed-call.tsx";
import { Icon } from "#web/kit/icon.tsx";
import { Spinner } from "#web/kit/spinner.tsx";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { useQuery } from "@tanstack/react-query";
import { ChevronLeft, ChevronRight } from "lucide-react";
import { useState } from "react";

const words = resultWords.preview;

type Props = { realmId: string; upload: LabelUploadView; paper?: Paper };

/** Preview of one label at a time. */
export function LabelPreview({ realmId, upload, paper }: Props) {
  const [place, setPlace] = useState(1);
  const count = upload.label_count;
  const { data, error, refetch } = useQuery(
    drawingQuery(realmId, upload.id, { seq: place, ...(paper ? { paper } : {}) }),
  );
  return (
    <div>
      {error ? <FailedCall error={error} onRetry={() => void refetch()} /> : null}
      {data ? (
        <DrawnLabel drawing={data} label={words.image(place, count, data.sscc)} />
      ) : error ? null : (
        <Spinner label={words.loading} />
      )}
      <Box
        sx={{
          display: "flex",
          alignItems: "center",
          justifyContent: "center",
          gap: 1.5,
          mt: 1.5,
          maxWidth: 272,
        }}
      >
        <Step
          label={words.previous}
          of={ChevronLeft}
          disabled={place === 1}
          onClick={() => setPlace(place - 1)}
        />
        <Box component="span" sx={{ color: "text.secondary", typography: "body2", textAlign: "center" }}>
          {words.place(place, count)}
          <br />
          {data ? words.prints(data.prints) : null}
        </Box>
        <Step
          label={words.next}
          of={ChevronRight}
          disabled={place === count}
          onClick={() => setPlace(place + 1)}
        />
      </Box>
    </div>
  );
}

type StepProps = { label: string; of: typeof ChevronLeft; disabled: boolean; onClick: () => void };

const Step = ({ label, of, disabled, onClick }: StepProps) => (
  <Button
    variant="outlined"
    size="small"
    aria-label={label}
    disabled={disabled}
    onClick={onClick}
    sx={{ minWidth: 0, px: 1 }}
  >
    <Icon of={of} size="small" />
  </Button>
);
