import { PageTitle } from "#web/kit/page-title.tsx";
import { useReporter } from "#web/kit/reporter.ts";
import { Sheet } from "#web/kit/sheet.tsx";
import { kitWords } from "#web/kit/words.ts";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import type { ReactNode } from "react";
import { ErrorBoundary } from "react-error-boundary";
import { useLocation } from "react-router";

/** Catches what is thrown below it while it renders, and reports it; what is around it stays, and moving on clears it. */
export function PageBoundary({ children }: { children: ReactNode }) {
  const reporter = useReporter();
  const { pathname } = useLocation();
  return (
    <ErrorBoundary
      resetKeys={[pathname]}
      onError={(error) => reporter.report(error)}
      fallbackRender={({ error }) => <FallbackScreen error={error} />}
    >
      {children}
    </ErrorBoundary>
  );
}

/** Replaces what failed: says so, with the reason small below. */
export function FallbackScreen({ error }: { error: unknown }) {
  const words = kitWords.fallback;
  return (
    <div role="alert">
      <PageTitle>{words.title}</PageTitle>
      <Sheet>
        <p>{words.text}</p>
        <Button variant="outlined" onClick={() => window.location.reload()}>
          {words.reload}
        </Button>
        <Box
          component="pre"
          sx={{
            mt: 3,
            typography: "caption",
            color: "text.caption",
            whiteSpace: "pre-wrap",
            overflowWrap: "anywhere",
          }}
        >
          {error instanceof Error ? error.message : String(error)}
        </Box>
      </Sheet>
    </div>
  );
}
