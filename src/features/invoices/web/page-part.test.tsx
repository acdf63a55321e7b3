import { PagePart } from "#features/invoices/web/page-part.tsx";
import { ReporterContext } from "#web/kit/reporter.ts";
import { recordingReporter } from "#web/test-support.tsx";
import { cleanup, render, screen } from "@testing-library/react";
import { lazy } from "react";
import { afterEach, expect, test, vi } from "vitest";

afterEach(cleanup);

test("a part that cannot be loaded keeps the rest of the page and the text typed there", async () => {
  // React also logs what a boundary catches.
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  const Gone = lazy(() => Promise.reject(new Error("The chunk is gone.")));
  const { reporter, reported } = recordingReporter();
  render(
    <ReporterContext value={reporter}>
      <input aria-label="Typed" defaultValue="Acme" />
      <PagePart>
        <Gone />
      </PagePart>
    </ReporterContext>,
  );
  await screen.findByText("The chunk is gone.");
  expect(screen.getByRole("button", { name: "Reload" })).toBeTruthy();
  expect(screen.getByRole<HTMLInputElement>("textbox", { name: "Typed" }).value).toBe("Acme");
  expect(reported).toHaveLength(1);
});
