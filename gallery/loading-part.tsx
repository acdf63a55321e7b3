import { Spinner } from "#web/kit/spinner.tsx";
import { kitWords } from "#web/kit/words.ts";

/** Stands where a part is still to be loaded, told apart from the spinners that are shown for their own sake. */
export function LoadingPart() {
  return (
    <div data-loading>
      <Spinner label={kitWords.loadingPage} />
    </div>
  );
}
