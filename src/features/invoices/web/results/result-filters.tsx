import type { ResultFilter, UploadSummary } from "#features/invoices/contract.ts";
import { uploadWords } from "#features/invoices/web/words.ts";
import Button from "@mui/material/Button";
import ButtonGroup from "@mui/material/ButtonGroup";

const words = uploadWords.results;
const FILTERS: readonly ResultFilter[] = ["all", "problems", "completed"];

const chosen = {
  fontWeight: 900,
  boxShadow: "inset 0 -3px 0 var(--mui-palette-primary-main)",
  // Forced colours remove shadows.
  "@media (forced-colors: active)": { borderBottomWidth: 5 },
};

type Props = {
  counts: UploadSummary["counts"];
  value: ResultFilter;
  onChange: (filter: ResultFilter) => void;
};

/** Which rows are shown, with how many there are of each kind. */
export function ResultFilters({ counts, value, onChange }: Props) {
  const countOf: Record<ResultFilter, number> = {
    all: counts.total,
    problems: counts.problems,
    completed: counts.completed,
  };
  return (
    <ButtonGroup aria-label={words.filters} variant="outlined" color="inherit">
      {FILTERS.map((filter) => (
        <Button
          key={filter}
          aria-pressed={filter === value}
          onClick={() => onChange(filter)}
          sx={filter === value ? chosen : { fontWeight: 400 }}
        >
          {words.counted(words.filter[filter], countOf[filter])}
        </Button>
      ))}
    </ButtonGroup>
  );
}
