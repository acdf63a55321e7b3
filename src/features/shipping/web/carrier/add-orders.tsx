import { countDocuments, intakeWords as words } from "#features/shipping/web/carrier/words.ts";
import { addOrders, type OrderIntakeResult } from "#features/orders/contract.ts";
import { HiddenInput } from "#web/kit/hidden-input.tsx";
import type { FixedCell } from "#features/sheets/web/review.ts";
import { refreshOrders } from "#features/shipping/web/shipment/queries.ts";
import { call } from "#web/kit/api-client.ts";
import { BusyButton } from "#web/kit/busy-button.tsx";
import { Icon } from "#web/kit/icon.tsx";
import { sendUntilBack } from "#web/kit/send-until-back.ts";
import { useAnnounce } from "#web/kit/live-region.tsx";
import { useFileDrop } from "#web/kit/use-file-drop.ts";
import { styled } from "@mui/material/styles";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Upload } from "lucide-react";
import { type ReactNode, useRef, useState } from "react";

/** A file that came in, or failed. `cells` were corrected. */
export type Taken = {
  at: number;
  file: File;
  cells: readonly FixedCell[];
  result: OrderIntakeResult | null;
  error: Error | null;
};

type AddedFiles = { files: readonly File[]; cells?: readonly FixedCell[] };

/** Adds the orders of files, one file after another. A file that is sent again replaces its earlier result. */
export function useAddOrders(realmId: string) {
  const queries = useQueryClient();
  const announce = useAnnounce();
  const [taken, setTaken] = useState<readonly Taken[]>([]);
  // Also of files whose result was dismissed, so that nothing moves in the list.
  const [added, setAdded] = useState<ReadonlySet<string>>(new Set());
  const { mutate, isPending } = useMutation({
    mutationFn: async ({ files, cells = [] }: AddedFiles) => {
      // A new result replaces the last one; what still asks for something stays.
      setTaken((before) => before.filter(isOpen));
      for (const file of files) {
        announce(words.adding(file.name));
        const send = () => call(addOrders, { file, body: { cells: [...cells] }, realmId });
        const addition = await sendUntilBack(send).then(
          (result) => ({ file, cells, result, error: null }),
          (error: Error) => ({ file, cells, result: null, error }),
        );
        const at = Date.now() + Math.random();
        setTaken((before) => [{ ...addition, at }, ...before.filter((other) => other.file !== file)]);
        const came = addition.result?.documents.filter(({ result }) => result === "added") ?? [];
        if (came.length > 0)
          setAdded((before) => new Set([...before, ...came.map((each) => each.po_number)]));
        if (addition.result) announce(countDocuments(addition.result).join(", ") || words.nothing);
      }
      await refreshOrders(queries, realmId);
    },
  });
  return {
    taken,
    added,
    isAdding: isPending,
    add: (files: readonly File[]) => {
      if (files.length > 0 && !isPending) mutate({ files });
    },
    /** Sends a file again with the right content of its wrong cells. */
    correct: (file: File, cells: readonly FixedCell[]) => {
      if (!isPending) mutate({ files: [file], cells });
    },
    /** Takes away the results in which nothing is left to correct. */
    dismiss: () => setTaken((before) => before.filter(isOpen)),
  };
}

const isOpen = ({ result }: Taken) => result === null || result.cells.length > 0;

type AddProps = { isAdding: boolean; onAdd: (files: readonly File[]) => void };

/** Opens the file dialog. Any type may be chosen: a file is known by its content, not its name. */
export function AddButton({ isAdding, onAdd }: AddProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <HiddenInput ref={input} label={words.picker} disabled={isAdding} multiple onChoose={onAdd} />
      <BusyButton
        startIcon={<Icon of={Upload} size="small" />}
        label={words.add}
        isBusy={isAdding}
        onClick={() => input.current?.click()}
      />
    </>
  );
}

const Zone = styled("div")(({ theme }) => ({
  position: "relative",
  "&[data-over=true]::after": {
    content: "attr(data-drop)",
    position: "absolute",
    inset: -8,
    zIndex: 5,
    display: "grid",
    justifyItems: "center",
    alignItems: "start",
    paddingTop: 96,
    border: "2px solid",
    borderColor: (theme.vars ?? theme).palette.primary.ink,
    borderRadius: 8,
    fontSize: "1.0625rem",
    fontWeight: 700,
    backgroundColor: `color-mix(in srgb, ${(theme.vars ?? theme).palette.background.default} 85%, transparent)`,
  },
}));

type DropProps = { onDrop: (files: readonly File[]) => void; children: ReactNode };

/** Takes files that are dropped anywhere on the tab. */
export function DropZone({ onDrop, children }: DropProps) {
  const { isOver, handlers } = useFileDrop(onDrop);
  return (
    <Zone data-over={isOver} data-drop={words.drop} {...handlers}>
      {children}
    </Zone>
  );
}
