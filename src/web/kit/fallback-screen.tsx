import { PageTitle } from "#web/kit/page-head.tsx";
import { useReporter } from "#web/kit/reporter.ts";
import { Sheet } from "#web/kit/card.tsx";
import { kitWords } from "#web/kit/words.ts";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import type { ReactNode } from "react";
import { ErrorBoundary } from "react-error-boundary";
import { useLocation } from "react-router";

/**
 * Catches and reports errors thrown while its children render; the surrounding frame stays, and navigation
 * clears it.
 */
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

/** Replaces a failed page with an explanation, and the reason in small print. */
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
