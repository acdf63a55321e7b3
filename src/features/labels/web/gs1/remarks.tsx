import { resultWords } from "#features/labels/web/gs1/words.ts";
import type { LabelUploadView } from "#features/labels/contract.ts";
import type { LabelSettingsView } from "#features/labels/contract.ts";
import { LowSerials } from "#features/labels/web/settings/low-serials.tsx";
import { Notes } from "#features/sheets/web/index.ts";
import { Notice } from "#web/kit/notice.tsx";
import { useSession } from "#web/kit/session/session.ts";
import Box from "@mui/material/Box";

const words = resultWords;

type Props = {
  upload: LabelUploadView;
  /** Whether the same rows became labels before. */
  isAgain: boolean;
  settings: LabelSettingsView | undefined;
};

/** Notes on labels: made before, few serials left, warnings about the sheet. */
export function Remarks({ upload: { made_at: madeAt, made_by: madeBy, remarks }, isAgain, settings }: Props) {
  const { email } = useSession();
  return (
    <>
      {isAgain ? (
        <Box sx={{ mt: 2 }}>
          <Notice tone="blue" title={words.sameTitle(madeBy === email ? null : madeBy, madeAt)}>
            <p>{words.same}</p>
          </Notice>
        </Box>
      ) : null}
      {settings ? <LowSerials settings={settings} /> : null}
      <Notes groups={remarks} />
    </>
  );
}
