import type { LabelDrawing } from "#features/labels/contract.ts";
import { barsPath } from "#features/labels/web/rules.ts";
import { radii, shadow } from "#web/theme/type-scale.ts";
import { styled } from "@mui/material/styles";

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

const ANCHORS = { left: "start", center: "middle", right: "end" } as const;

/** Drawing of a label. */
export function DrawnLabel({ drawing, label }: { drawing: LabelDrawing; label: string }) {
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
