import { DownloadButton } from "#web/kit/download-button.tsx";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";

afterEach(cleanup);

function show(fileName: string | null | undefined) {
  const fetchDocument = () => Promise.reject(new Error("Nobody asked."));
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

test("DL-01 DL-09 it reads Download and the type, and is heard with what it belongs to", () => {
  show("slip.pdf");
  const button = screen.getByRole("button", { name: "Download Packing Slip for PO # 123" });
  expect(button.firstElementChild?.textContent).toBe("Download Packing Slip");
});

test.each([null, undefined, ""])("DL-04 with the file name %j there is nothing", (fileName) => {
  expect(show(fileName).container.innerHTML).toBe("");
});
