import {
  type OrderFolder,
  readServerKey,
  removeFolder,
  saveFolder,
} from "#features/orders/folders/contract.ts";
import { folderQuery } from "#features/orders/web/queries.ts";
import { folderWords as words } from "#features/orders/web/folder-words.ts";
import { call } from "#web/kit/api-client.ts";
import { BusyButton } from "#web/kit/busy-button.tsx";
import { Choice } from "#web/kit/choice.tsx";
import { FailedCall } from "#web/kit/failed-call.tsx";
import { formatMoment } from "#web/kit/format.ts";
import { useAnnounce } from "#web/kit/live-region.tsx";
import { Notice } from "#web/kit/notice.tsx";
import { queryKeys } from "#web/kit/query-client.ts";
import { Question } from "#web/kit/dialog.tsx";
import { Skeleton } from "#web/kit/skeleton.tsx";
import { TextArea, TextInput } from "#web/kit/text-input.tsx";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";

type Props = { realmId: string };

/** Settings of the folder of orders, with its state. */
export function FolderSettings({ realmId }: Props) {
  const { data, error, isPending, refetch } = useQuery(folderQuery(realmId));
  return (
    <>
      <FailedCall error={error} onRetry={() => void refetch()} />
      <Skeleton isBusy={isPending} label={words.row.loading} rows={4} columns={2} height={61}>
        {data ? (
          <>
            <State folder={data.folder} />
            <Account key={data.folder?.host} realmId={realmId} folder={data.folder} />
            <Others realmId={realmId} folder={data.folder} canBeLocal={data.can_be_local} />
          </>
        ) : null}
      </Skeleton>
    </>
  );
}

function State({ folder }: { folder: OrderFolder | null }) {
  if (!folder) return <p>{words.none}</p>;
  const facts = [
    ...(folder.host_key === "" ? [] : [words.pinned(folder.host_key)]),
    ...(folder.polled_at === null ? [] : [words.polled(formatMoment(folder.polled_at))]),
  ];
  return (
    <>
      {folder.state === "active" ? (
        <Notice tone="green">{words.active(namePlace(folder))}</Notice>
      ) : (
        <Notice tone={folder.state === "stopped" ? "red" : "amber"} title={words[folder.state]}>
          {folder.problem}
        </Notice>
      )}
      <Box component="p" sx={{ typography: "caption", color: "text.caption", overflowWrap: "anywhere" }}>
        {facts.join(" · ")}
      </Box>
    </>
  );
}

const namePlace = ({ kind, user, host, port }: OrderFolder): string =>
  kind === "local" ? words.local : `${user}@${host}:${port}`;

/** Saves a folder, then reads it again. */
function useFolderCommand<Args>(realmId: string, change: (args: Args) => Promise<unknown>, done: string) {
  const queries = useQueryClient();
  const announce = useAnnounce();
  return useMutation({
    mutationFn: change,
    onSuccess: () => {
      announce(done);
      return queries.invalidateQueries({ queryKey: queryKeys.orderFolder(realmId) });
    },
  });
}

/** The account's fields. The server's key is shown first; saving confirms it. Secrets stay in this component. */
function Account({ realmId, folder }: Props & { folder: OrderFolder | null }) {
  const query = { realm_id: realmId };
  const sftp = folder?.kind === "sftp" ? folder : null;
  const [typed, setTyped] = useState({
    host: sftp?.host ?? "",
    port: String(sftp?.port ?? 22),
    user: sftp?.user ?? "",
    password: "",
    private_key: "",
    folder_in: sftp?.folder_in ?? "in",
    folder_out: sftp?.folder_out ?? "out",
  });
  const [signIn, setSignIn] = useState<Way>(sftp?.auth === "key" ? "private_key" : "password");
  const auth = AUTH[signIn];
  const server = { host: typed.host.trim(), port: Number(typed.port) };
  const ask = useMutation({ mutationFn: () => call(readServerKey, { query, body: server }) });
  const save = useFolderCommand(
    realmId,
    (hostKey: string) => {
      const { password: _password, private_key: _key, port: _port, ...rest } = typed;
      const secret = typed[signIn] === "" ? {} : { [signIn]: typed[signIn] };
      return call(saveFolder, {
        query,
        body: { kind: "sftp", ...rest, ...server, auth, ...secret, host_key: hostKey },
      });
    },
    words.saved,
  );
  const field = (name: keyof typeof typed) => ({
    value: typed[name],
    autoComplete: "off",
    onChange: ({ target }: { target: { value: string } }) => {
      setTyped({ ...typed, [name]: target.value });
      // Another server has another key.
      if (name === "host" || name === "port") ask.reset();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (typed.host.trim() !== "" && !ask.isPending) ask.mutate();
  };
  const hostKey = ask.data?.host_key;
  return (
    <Box component="form" noValidate aria-label={words.row.title} onSubmit={submit} sx={{ mt: 2 }}>
      <Box
        sx={{
          display: "grid",
          gridTemplateColumns: { xs: "1fr", sm: "2fr 1fr 1fr" },
          gap: "16px 24px",
        }}
      >
        <TextInput label={words.host} placeholder={words.example} {...field("host")} />
        <TextInput label={words.port} inputMode="numeric" {...field("port")} />
        <TextInput label={words.user} {...field("user")} />
        <TextInput label={words.folderIn} {...field("folder_in")} />
        <Box sx={{ gridColumn: { sm: "2 / 4" } }}>
          <TextInput label={words.folderOut} {...field("folder_out")} />
        </Box>
      </Box>
      <SignIn way={signIn} isStored={sftp?.auth === auth} onPick={setSignIn} field={field} />
      {hostKey === undefined ? (
        <Box sx={{ display: "flex", flexWrap: "wrap", alignItems: "center", gap: "8px 12px", mt: 2 }}>
          <BusyButton
            type="submit"
            label={words.ask}
            disabled={typed.host.trim() === ""}
            isBusy={ask.isPending}
          />
          <Box component="span" sx={{ typography: "caption", color: "text.caption" }}>
            {words.askHint}
          </Box>
        </Box>
      ) : (
        <Notice tone="blue" role="status">
          <Box sx={{ overflowWrap: "anywhere", mb: 1.5 }}>{words.compare(hostKey)}</Box>
          <BusyButton
            label={words.save}
            variant="contained"
            isBusy={save.isPending}
            onClick={() => save.mutate(hostKey)}
          />
        </Notice>
      )}
      <FailedCall title={words.askError} error={ask.error} />
      <FailedCall title={words.saveError} error={save.error} />
    </Box>
  );
}

/** Each secret's field, and how the call names that way to sign in. */
const AUTH = { password: "password", private_key: "key" } as const;

type Way = keyof typeof AUTH;

type SignInProps = {
  way: Way;
  /** Whether a secret of this way is stored, so that its field may stay empty. */
  isStored: boolean;
  onPick: (way: Way) => void;
  /** The properties of a secret's field. */
  field: (way: Way) => {
    value: string;
    autoComplete: string;
    onChange: (event: { target: { value: string } }) => void;
  };
};

/** Asks for a password or a private key. */
function SignIn({ way: chosen, isStored, onPick, field }: SignInProps) {
  return (
    <>
      <Box component="fieldset" sx={{ mt: 2, mb: 0, mx: 0, p: 0, border: 0 }}>
        <Box component="legend" sx={{ p: 0, fontSize: "0.875rem", fontWeight: 700 }}>
          {words.signIn}
        </Box>
        <Box sx={{ display: "flex", flexWrap: "wrap", columnGap: 3 }}>
          {(["password", "private_key"] as const).map((way) => (
            <Choice
              key={way}
              type="radio"
              name="sign-in"
              checked={chosen === way}
              onChange={() => onPick(way)}
            >
              {words[way]}
            </Choice>
          ))}
        </Box>
      </Box>
      {chosen === "password" ? (
        <TextInput label={words.password} labelAt="hidden" type="password" {...field("password")} />
      ) : (
        <TextArea label={words.private_key} rows={3} spellCheck={false} {...field("private_key")} />
      )}
      {isStored ? (
        <Box component="p" sx={{ typography: "caption", color: "text.caption" }}>
          {words.keep}
        </Box>
      ) : null}
    </>
  );
}

function Others({
  realmId,
  folder,
  canBeLocal,
}: Props & { folder: OrderFolder | null; canBeLocal: boolean }) {
  const query = { realm_id: realmId };
  const useLocal = useFolderCommand(
    realmId,
    () => call(saveFolder, { query, body: { kind: "local" } }),
    words.saved,
  );
  const [isRemoving, setRemoving] = useState(false);
  if (!folder && !canBeLocal) return null;
  return (
    <Box sx={{ display: "flex", flexWrap: "wrap", gap: 2, mt: 3 }}>
      {canBeLocal && folder?.kind !== "local" ? (
        <BusyButton
          label={words.useLocal}
          isBusy={useLocal.isPending}
          onClick={() => useLocal.mutate(null)}
        />
      ) : null}
      {folder ? (
        <Button variant="outlined" onClick={() => setRemoving(true)}>
          {words.remove}
        </Button>
      ) : null}
      <FailedCall title={words.saveError} error={useLocal.error} />
      {folder && isRemoving ? (
        <Question
          title={words.removeTitle}
          keep={words.keepFolder}
          confirm={words.remove}
          change={() => call(removeFolder, { query })}
          done={words.removed}
          changed={[queryKeys.orderFolder(realmId)]}
          onClose={() => setRemoving(false)}
        >
          <p>{words.removeText(namePlace(folder))}</p>
        </Question>
      ) : null}
    </Box>
  );
}
