import { Spinner } from "#web/kit/spinner.tsx";
import { kitWords } from "#web/kit/words.ts";

/** Placeholder of a part that is still loading, distinct from the spinners that the gallery shows. */
export function LoadingPart() {
  return (
    <div data-loading>
      <Spinner label={kitWords.loadingPage} />
    </div>
  );
}
