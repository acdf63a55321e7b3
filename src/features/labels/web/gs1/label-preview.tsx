import type { LabelUploadView } from "#features/labels/contract.ts";
import type { LabelDrawing } from "#features/labels/print/contract.ts";
import { barsPath } from "#features/labels/web/rules.ts";
import { drawingQuery } from "#features/labels/web/queries.ts";
import { labelWords } from "#features/labels/web/words.ts";
import { FailedCall } from "#web/kit/failed-call.tsx";
import { Icon } from "#web/kit/icon.tsx";
import { Spinner } from "#web/kit/spinner.tsx";
import { radii, shadow } from "#web/theme/type-scale.ts";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { styled } from "@mui/material/styles";
import { useQuery } from "@tanstack/react-query";
import { ChevronLeft, ChevronRight } from "lucide-react";
import { useState } from "react";

const words = labelWords.result.preview;

/** Paper is white in every theme. */
const Paper = styled("svg")({
  display: "block",
  width: "100%",
  maxWidth: 272,
  borderRadius: radii.chip,
  backgroundColor: "#fff",
  boxShadow: shadow.light,
  forcedColorAdjust: "none",
});

/** A label as it will be printed, one at a time. */
export function LabelPreview({ realmId, upload }: { realmId: string; upload: LabelUploadView }) {
  const [place, setPlace] = useState(1);
  const count = upload.label_count;
  const { data, error, refetch } = useQuery(drawingQuery(realmId, upload.id, place));
  return (
    <div>
      {error ? <FailedCall error={error} onRetry={() => void refetch()} /> : null}
      {data ? (
        <Drawn drawing={data} label={words.image(place, count, data.sscc)} />
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

const ANCHORS = { left: "start", center: "middle", right: "end" } as const;

function Drawn({ drawing, label }: { drawing: LabelDrawing; label: string }) {
  const { width, height, texts, rules, symbols } = drawing;
  return (
    <Paper viewBox={`0 0 ${width} ${height}`} role="img" aria-label={label} fill="#111">
      {rules.map((rule) => (
        <rect key={`${rule.x} ${rule.y}`} {...rule} />
      ))}
      {symbols.map((symbol) => (
        <path key={symbol.y} d={barsPath(symbol)} />
      ))}
      <g fontFamily="Helvetica, Arial, sans-serif" aria-hidden="true">
        {texts.map((text) => (
          <text
            key={`${text.x} ${text.y}`}
            transform={`translate(${text.x} ${text.y}) scale(${text.stretch} 1)`}
            fontSize={text.size}
            fontWeight={text.bold ? 700 : 400}
            textAnchor={ANCHORS[text.align]}
          >
            {text.text}
          </text>
        ))}
      </g>
    </Paper>
  );
}
