import type { ResultFilter, UploadSummary } from "#features/invoices/contract.ts";
import { uploadWords } from "#features/invoices/web/words.ts";
import { Filters } from "#web/kit/filters.tsx";

const words = uploadWords.results;

const FILTERS: readonly ResultFilter[] = ["all", "problems", "completed"];

type Props = {
  counts: UploadSummary["invoices"];
  value: ResultFilter;
  onChange: (filter: ResultFilter) => void;
};

/** Which results are shown, with how many invoices there are of each kind. */
export function ResultFilters({ counts, value, onChange }: Props) {
  const countOf: Record<ResultFilter, number> = {
    all: counts.total,
    problems: counts.problems + counts.unconfirmed,
    completed: counts.posted,
  };
  const options = FILTERS.map((filter) => ({
    value: filter,
    label: words.filter[filter],
    count: countOf[filter],
  }));
  return <Filters label={words.filters} value={value} options={options} onChange={onChange} />;
}
