import { printTestPdf, printTestZpl } from "#features/labels/print/contract.ts";
import { printWords as words } from "#features/labels/web/print/words.ts";
import { call } from "#web/kit/api-client.ts";
import { DownloadButton } from "#web/kit/document-buttons.tsx";
import Box from "@mui/material/Box";

/** A page to print before labels are. */
export function TestPageLinks() {
  return (
    <Box sx={{ mt: 1.5, typography: "caption", color: "text.caption" }}>
      <p style={{ margin: 0 }}>{words.testHint}</p>
      <Box sx={{ display: "flex", flexWrap: "wrap", columnGap: 3 }}>
        <DownloadButton
          look="link"
          type={`${words.test} ${words.testOf.pdf}`}
          fileName="test-page.pdf"
          fetchDocument={() => call(printTestPdf, {})}
        />
        <DownloadButton
          look="link"
          type={`${words.test} ${words.testOf.zpl}`}
          fileName="test-page.zpl"
          fetchDocument={() => call(printTestZpl, {})}
        />
      </Box>
    </Box>
  );
}
