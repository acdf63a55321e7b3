import { printTestPage } from "#features/labels/contract.ts";
import { printWords as words } from "#features/labels/web/print-words.ts";
import { call } from "#web/kit/api-client.ts";
import { DownloadButton } from "#web/kit/document-buttons.tsx";
import Box from "@mui/material/Box";

/** Links to the test page. */
export function TestPageLinks() {
  return (
    <Box sx={{ mt: 1.5, typography: "caption", color: "text.caption" }}>
      <p style={{ margin: 0 }}>{words.testHint}</p>
      <Box sx={{ display: "flex", flexWrap: "wrap", columnGap: 3 }}>
        {(["pdf", "zpl"] as const).map((format) => (
          <DownloadButton
            key={format}
            look="link"
            type={`${words.test} ${words.testOf[format]}`}
            fileName={`test-page.${format}`}
            fetchDocument={() => call(printTestPage, { query: { format } })}
          />
        ))}
      </Box>
    </Box>
  );
}
