import { resultWords } from "#features/labels/web/gs1/words.ts";
import type { LabelUploadView } from "#features/labels/contract.ts";
import type { LabelSettingsView } from "#features/labels/contract.ts";
import { LowSerials } from "#features/labels/web/settings/low-serials.tsx";
import { ProblemList } from "#features/sheets/web/index.ts";
import { Notice } from "#web/kit/notice.tsx";
import Box from "@mui/material/Box";

const words = resultWords;

type Props = {
  upload: LabelUploadView;
  /** True when the same rows became labels before. */
  isAgain: boolean;
  settings: LabelSettingsView | undefined;
};

/** Notes on labels: made before, few serials left, warnings about the sheet. */
export function Remarks({ upload: { made_at: madeAt, made_by: madeBy, remarks }, isAgain, settings }: Props) {
  return (
    <>
      {isAgain ? (
        <Box sx={{ mt: 2 }}>
          <Notice tone="blue" title={words.sameTitle}>
            <p>{words.same(madeAt, madeBy)}</p>
          </Notice>
        </Box>
      ) : null}
      {settings ? <LowSerials settings={settings} /> : null}
      {remarks.length > 0 ? (
        <Box component="section" aria-label={words.remarks} sx={{ mt: 2 }}>
          <ProblemList tone="amber" groups={remarks} />
        </Box>
      ) : null}
    </>
  );
}
