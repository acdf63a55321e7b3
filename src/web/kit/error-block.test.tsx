import { ErrorBlock } from "#web/kit/error-block.tsx";
import { PageBoundary } from "#web/kit/fallback-screen.tsx";
import { ReporterContext } from "#web/kit/reporter.ts";
import { recordingReporter, userEvent } from "#web/test-support.tsx";
import { theme } from "#web/theme/theme.ts";
import { ThemeProvider } from "@mui/material/styles";
import { cleanup, render, screen } from "@testing-library/react";
import type { ReactNode } from "react";
import { Link, MemoryRouter } from "react-router";
import { afterEach, expect, test } from "vitest";

afterEach(cleanup);
const draw = (ui: ReactNode) =>
  render(<ThemeProvider theme={theme}>{ui}</ThemeProvider>, { onCaughtError: () => undefined });

test("FR-38 the error block shows a title and the message with its line breaks", () => {
  draw(<ErrorBlock title="Upload Error" message={"First line.\nSecond line."} />);
  const message = screen.getByText(/First line/);
  expect(message.textContent).toBe("First line.\nSecond line.");
  expect(message.style.whiteSpace).toBe("pre-line");
  expect(screen.getByText("Upload Error")).toBeTruthy();
});

test("FR-39 its title is Error! unless another is given", () => {
  draw(<ErrorBlock message="m" />);
  expect(screen.getByText("Error!")).toBeTruthy();
});

test("FR-40 it shows nothing when there is no message", () => {
  for (const none of [undefined, null, ""])
    expect(draw(<ErrorBlock message={none} />).container.innerHTML).toBe("");
});

test("FR-41 it is announced after an action, and not when it is present at load", () => {
  draw(<ErrorBlock message="m" />);
  expect(screen.getByRole("alert")).toBeTruthy();
  cleanup();
  draw(<ErrorBlock message="m" role="group" />);
  expect(screen.queryByRole("alert")).toBeNull();
});

test("RT-16 FR-33 FR-34 FR-35 FR-36 FR-37 a failed page is reported once and replaced, in its title too; navigation clears it", async () => {
  const { reporter, reported } = recordingReporter();
  const failure = new Error("row 7 is undefined");
  let broken = true;
  function Page() {
    if (broken) throw failure;
    return <p>All is well.</p>;
  }
  draw(
    <MemoryRouter>
      <ReporterContext value={reporter}>
        <Link to="/other">Go on</Link>
        <PageBoundary>
          <Page />
        </PageBoundary>
      </ReporterContext>
    </MemoryRouter>,
  );
  expect(screen.getByRole("heading", { name: "Sorry, something went wrong." })).toBeTruthy();
  expect(
    screen.getByText(
      "We were not able to load this page. This error has been reported to our development team. Please try again in a few minutes.",
    ),
  ).toBeTruthy();
  expect(screen.getByText("row 7 is undefined")).toBeTruthy();
  expect(screen.getByRole("button", { name: "Reload" })).toBeTruthy();
  expect(document.title).toBe("Sorry, something went wrong. · Dockside");
  expect(reported).toEqual([failure]);
  broken = false;
  await userEvent.click(screen.getByText("Go on"));
  expect(screen.getByText("All is well.")).toBeTruthy();
});
