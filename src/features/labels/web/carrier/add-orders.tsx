import { intakeWords as words } from "#features/labels/web/carrier/words.ts";
import * as endpoints from "#features/orders/contract.ts";
import { addOrders, type OrderIntakeResult } from "#features/orders/contract.ts";
import { FailedFile } from "#features/sheets/web/index.ts";
import { refreshOrders } from "#features/labels/web/carrier/queries.ts";
import { call } from "#web/kit/api-client.ts";
import { BusyButton } from "#web/kit/busy-button.tsx";
import { Icon } from "#web/kit/icon.tsx";
import { useAnnounce } from "#web/kit/live-region.tsx";
import { Notice } from "#web/kit/notice.tsx";
import { visuallyHidden } from "#web/kit/visually-hidden.ts";
import Button from "@mui/material/Button";
import { styled } from "@mui/material/styles";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Upload, X } from "lucide-react";
import { type DragEvent, type ReactNode, useRef, useState } from "react";

/** A file that came in, or failed. */
export type Taken = { at: number; file: File; result: OrderIntakeResult | null; error: Error | null };

/** Adds the orders of files, one file after another. */
export function useAddOrders(realmId: string) {
  const queries = useQueryClient();
  const announce = useAnnounce();
  const [taken, setTaken] = useState<readonly Taken[]>([]);
  const { mutate, isPending } = useMutation({
    mutationFn: async (files: readonly File[]) => {
      for (const file of files) {
        announce(words.adding(file.name));
        const one = await call(addOrders, { file, body: {}, realmId }).then(
          (result) => ({ file, result, error: null }),
          (error: Error) => ({ file, result: null, error }),
        );
        setTaken((before) => [{ ...one, at: Date.now() + Math.random() }, ...before]);
        if (one.result) announce(countWords(one.result).join(", ") || words.nothing);
      }
      await refreshOrders(queries, realmId);
    },
  });
  return {
    taken,
    isAdding: isPending,
    add: (files: readonly File[]) => {
      if (files.length > 0 && !isPending) mutate(files);
    },
    dismiss: (at: number) => setTaken((before) => before.filter((one) => one.at !== at)),
  };
}

type AddProps = { isAdding: boolean; onAdd: (files: readonly File[]) => void };

/** Opens the file dialog. Any type may be chosen: a file is known by its content, not its name. */
export function AddButton({ isAdding, onAdd }: AddProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        multiple
        aria-label={words.picker}
        tabIndex={-1}
        disabled={isAdding}
        style={visuallyHidden}
        onChange={({ target }) => {
          onAdd([...(target.files ?? [])]);
          // Otherwise choosing the same file again fires no event.
          target.value = "";
        }}
      />
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
  const [over, setOver] = useState(false);
  const drag = (event: DragEvent) => {
    if (!event.dataTransfer.types.includes("Files")) return;
    event.preventDefault();
    const isLeaving =
      event.type === "dragleave" && !event.currentTarget.contains(event.relatedTarget as Node | null);
    setOver(event.type !== "dragleave" || !isLeaving);
  };
  return (
    <Zone
      data-over={over}
      data-drop={words.drop}
      onDragEnter={drag}
      onDragOver={drag}
      onDragLeave={drag}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        onDrop([...event.dataTransfer.files]);
      }}
    >
      {children}
    </Zone>
  );
}

type TakenProps = {
  realmId: string;
  taken: readonly Taken[];
  onDismiss: (at: number) => void;
  onAdd: (files: readonly File[]) => void;
};

/** Orders that came in, file by file, the latest first. A sheet whose columns or dates are unclear asks for them. */
export function TakenFiles({ realmId, taken, onDismiss, onAdd }: TakenProps) {
  return taken.map(({ at, file, result, error }) => {
    const filename = file.name;
    const dismiss = (
      <Button
        variant="text"
        size="small"
        aria-label={words.dismiss(filename)}
        onClick={() => onDismiss(at)}
        sx={{ minWidth: 32, alignSelf: "flex-start" }}
      >
        <Icon of={X} size="small" />
      </Button>
    );
    if (!result)
      return (
        <FailedFile
          key={at}
          endpoints={endpoints}
          realmId={realmId}
          failed={{ file }}
          error={error}
          title={words.title(filename)}
          send={(again) => {
            onDismiss(at);
            onAdd([again.file]);
          }}
        />
      );
    return <TakenFile key={at} result={result} dismiss={dismiss} />;
  });
}

type Outcome = OrderIntakeResult["documents"][number]["result"];
const OUTCOMES: readonly Outcome[] = [
  "added",
  "same",
  "waiting",
  "cancelled",
  "void_first",
  "answered",
  "refused",
];
/** Longer lists say how many more there are. */
const MAX_POS = 20;

function TakenFile({ result, dismiss }: { result: OrderIntakeResult; dismiss: ReactNode }) {
  const { filename, documents } = result;
  const counts = countWords(result);
  const needsUser = documents.some(({ result: outcome }) =>
    ["waiting", "void_first", "refused"].includes(outcome),
  );
  const tone = needsUser
    ? "amber"
    : documents.some(({ result: outcome }) => outcome === "added")
      ? "green"
      : "blue";
  return (
    <Notice tone={tone} role="group" label={words.title(filename)}>
      <div style={{ display: "flex", gap: 12 }}>
        <div style={{ flex: 1, minWidth: 0 }}>
          <b>{counts.length === 0 ? words.nothing : counts.join(", ")}</b> · {filename}
          {OUTCOMES.map((outcome) => {
            const of = documents.filter((one) => one.result === outcome);
            return outcome === "refused" ? (
              <Refused key={outcome} documents={of} />
            ) : (
              <Pos key={outcome} outcome={outcome} pos={of.map((one) => one.po_number)} />
            );
          })}
        </div>
        {dismiss}
      </div>
    </Notice>
  );
}

function Pos({ outcome, pos }: { outcome: Exclude<Outcome, "refused">; pos: readonly string[] }) {
  if (pos.length === 0) return null;
  const more = pos.length - MAX_POS;
  return (
    <div>
      {words.counts[outcome](pos.length)}: {words.pos(pos.slice(0, MAX_POS))}
      {more > 0 ? ` ${words.more(more)}` : null}
    </div>
  );
}

function Refused({ documents }: Pick<OrderIntakeResult, "documents">) {
  if (documents.length === 0) return null;
  return (
    <ul style={{ margin: "4px 0 0", paddingLeft: 20 }}>
      {documents.map(({ po_number: po, problems }, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- refused documents may have no number
        <li key={index}>
          <b>{po === "" ? words.noPo : words.pos([po])}</b> {problems.join(" ")}
        </li>
      ))}
    </ul>
  );
}

/** "3 orders added", "1 already here": what happened to the documents of a file. */
function countWords({ documents }: OrderIntakeResult): string[] {
  return OUTCOMES.flatMap((outcome) => {
    const count = documents.filter((one) => one.result === outcome).length;
    return count === 0 ? [] : [words.counts[outcome](count)];
  });
}
