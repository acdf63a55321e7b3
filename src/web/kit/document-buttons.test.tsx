import { ApiError } from "#web/kit/api-error.ts";
import { DownloadButton } from "#web/kit/document-buttons.tsx";
import { userEvent } from "#web/test-support.tsx";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, render, screen, waitFor, within } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";

afterEach(cleanup);

const refuse = () => Promise.reject(new Error("Nobody asked."));

function show(fileName: string | null | undefined, fetchDocument: () => Promise<never> = refuse) {
  return render(
    <QueryClientProvider client={new QueryClient()}>
      <DownloadButton
        type="Packing Slip"
        detail="for PO # 123"
        fileName={fileName}
        fetchDocument={fetchDocument}
      />
    </QueryClientProvider>,
  );
}

test("DL-01 DL-09 the button reads Download and the type, and its accessible name includes the subject", () => {
  show("slip.pdf");
  const button = screen.getByRole("button", { name: "Download Packing Slip for PO # 123" });
  expect(button.firstElementChild?.textContent).toBe("Download Packing Slip");
});

test.each([null, undefined, ""])("DL-04 with the file name %j there is no button", (fileName) => {
  expect(show(fileName).container.innerHTML).toBe("");
});

test("DL-02 DL-03 DL-08 ER-27 the button spins while it waits; a server error is shown beside it without a title, with its support id and a contact link", async () => {
  const failure = new ApiError({ message: "It did not work.", status: 500, code: null, requestId: "r-1" });
  const waiting = Promise.withResolvers<never>();
  show("slip.pdf", () => waiting.promise);
  const button = screen.getByRole("button", { name: /^Download/ });
  const isSpinning = () => button.querySelector("[role=progressbar]") !== null;
  expect(isSpinning()).toBe(false);
  await userEvent.click(button);
  await waitFor(() => expect(isSpinning()).toBe(true));
  waiting.reject(failure);
  const block = within(await screen.findByRole("alert"));
  expect(block.getByText("It did not work.")).toBeTruthy();
  expect(block.queryByText("Error!")).toBeNull();
  expect(block.getByText("r-1")).toBeTruthy();
  expect(block.getByRole("button", { name: "Copy" })).toBeTruthy();
  expect(block.getByRole("link", { name: "Contact us" })).toBeTruthy();
  await waitFor(() => expect(isSpinning()).toBe(false));
});
