import type { LabelUploadView } from "#features/labels/contract.ts";
import type { LabelSettingsView } from "#features/labels/settings/contract.ts";
import { settingsWords } from "#features/labels/web/settings/words.ts";
import { labelWords } from "#features/labels/web/words.ts";
import { ProblemList } from "#features/sheets/web/index.ts";
import { Notice } from "#web/kit/notice.tsx";
import Box from "@mui/material/Box";

const words = labelWords.result;

type Props = {
  upload: LabelUploadView;
  /** The same rows became labels before. */
  isAgain: boolean;
  serials: LabelSettingsView["serials"];
};

/** What a user should know of labels that were made without a fault. */
export function Remarks({ upload: { made_at: madeAt, made_by: madeBy, remarks }, isAgain, serials }: Props) {
  return (
    <>
      {isAgain ? (
        <Box sx={{ mt: 2 }}>
          <Notice tone="blue" title={words.sameTitle}>
            <p>{words.same(madeAt, madeBy)}</p>
          </Notice>
        </Box>
      ) : null}
      {serials?.is_low ? (
        <Box sx={{ mt: 2 }}>
          <Notice tone="amber">{settingsWords.low(serials)}</Notice>
        </Box>
      ) : null}
      {remarks.length > 0 ? (
        <Box component="section" aria-label={words.remarks} sx={{ mt: 2 }}>
          <ProblemList tone="amber" groups={remarks} />
        </Box>
      ) : null}
    </>
  );
}
