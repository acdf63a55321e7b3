import { addUser, type CompanyView, removeUser, handOver } from "#features/companies/contract.ts";
import { LIST, ListRow } from "#web/kit/lists.tsx";
import { useCompanyCommand } from "#features/companies/web/use-company-command.ts";
import { companyWords } from "#features/companies/web/words.ts";
import { call } from "#web/kit/api-client.ts";
import { boot } from "#web/kit/boot.ts";
import { PlainLink } from "#web/kit/text-link.tsx";
import { BusyButton } from "#web/kit/busy-button.tsx";
import { FailedCall } from "#web/kit/failed-call.tsx";
import { takeFocusLate } from "#web/kit/focus.ts";
import { useAnnounce } from "#web/kit/live-region.tsx";
import { queryKeys } from "#web/kit/query-client.ts";
import { useSession } from "#web/kit/session/session.ts";
import { TextInput } from "#web/kit/text-input.tsx";
import { useDraft } from "#web/kit/use-draft.ts";
import Box from "@mui/material/Box";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { Question } from "#web/kit/dialog.tsx";
import { SelectField } from "#web/kit/select-field.tsx";
import Button from "@mui/material/Button";

const words = companyWords.users;
const handOverWords = companyWords.handOver;

/** Time in ms in which a removal can be undone. */
const UNDO_MS = 10_000;

type Props = { company: CompanyView };

/** User who was just removed, and the token that restores them. */
type Removed = { email: string; undo: string };

/** Users of a company, added and removed by its admin. */
export function Users({ company }: Props) {
  const query = (email: string) => ({ realm_id: company.id, email });
  const announce = useAnnounce();
  const [removed, setRemoved] = useState<Removed | null>(null);
  const remove = useCompanyCommand(
    (email: string) => call(removeUser, { query: query(email) }),
    (email, { undo: token }) => {
      setRemoved({ email, undo: token });
      announce(words.removed(email));
    },
  );
  const restore = useCompanyCommand(
    ({ email, undo: token }: Removed) => call(addUser, { query: { ...query(email), undo: token } }),
    ({ email }) => {
      setRemoved(null);
      announce(words.added(email));
    },
  );
  useEffect(() => {
    if (removed === null) return;
    const timer = setTimeout(() => setRemoved(null), UNDO_MS);
    return () => clearTimeout(timer);
  }, [removed]);
  return (
    <>
      <div data-place>
        <Box component="ul" aria-label={words.list} sx={LIST}>
          {(company.authorized_users ?? []).map((email) => (
            <UserRow
              key={email}
              company={company}
              email={email}
              isRemoving={remove.isPending && remove.variables === email}
              onRemove={() => remove.mutate(email)}
            />
          ))}
        </Box>
        {removed === null ? null : (
          <Box
            key={removed.undo}
            component="p"
            sx={{ display: "flex", flexWrap: "wrap", alignItems: "center", gap: 2, my: 1 }}
          >
            {words.removed(removed.email)}
            <BusyButton
              ref={takeFocusLate}
              label={words.undo}
              variant="text"
              isBusy={restore.isPending}
              onClick={() => restore.mutate(removed)}
            />
          </Box>
        )}
      </div>
      <FailedCall title={words.removeError} error={remove.error} />
      <AddUser company={company} />
      <FailedCall title={words.addError} error={restore.error} />
      <HandOver company={company} />
    </>
  );
}

type RowProps = Props & { email: string; isRemoving: boolean; onRemove: () => void };

function UserRow({ company, email, isRemoving, onRemove }: RowProps) {
  const session = useSession();
  const isMe = email === session.email;
  const isAdmin = email === company.admin;
  const facts = [
    isMe ? words.you : null,
    isAdmin ? words.admin : null,
    company.invited_users?.includes(email) ? words.invited : null,
  ].filter((fact) => fact !== null);
  return (
    <ListRow name={email} facts={facts}>
      {isMe || isAdmin ? null : (
        <BusyButton label={words.remove} detail={email} isBusy={isRemoving} onClick={onRemove} />
      )}
    </ListRow>
  );
}

function AddUser({ company }: Props) {
  const announce = useAnnounce();
  const box = useRef<HTMLInputElement>(null);
  const [email, setEmail, forgetEmail] = useDraft(`user.${company.id}`);
  const [unmailed, setUnmailed] = useState<string | null>(null);
  const add = useCompanyCommand(
    (added: string) => call(addUser, { query: { realm_id: company.id, email: added } }),
    (added, { mailed }) => {
      forgetEmail();
      box.current?.focus();
      setUnmailed(boot.mail && !mailed ? added : null);
      announce(words.added(added));
    },
  );
  const address = `${window.location.origin}/invitation/`;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (email.trim() !== "" && !add.isPending) add.mutate(email.trim());
  };
  return (
    <>
      <Box
        component="form"
        noValidate
        onSubmit={submit}
        sx={{ display: "flex", flexWrap: "wrap", alignItems: "flex-end", gap: 1.5, mt: 3 }}
      >
        <TextInput
          ref={box}
          type="email"
          label={words.email}
          placeholder={words.example}
          autoComplete="off"
          value={email}
          onChange={({ target }) => setEmail(target.value)}
        />
        <BusyButton
          type="submit"
          label={words.add}
          disabled={email.trim() === "" && !add.isPending}
          isBusy={add.isPending}
        />
      </Box>
      <FailedCall title={words.addError} error={add.error} />
      {unmailed === null ? null : <p>{words.noNewMail(unmailed, address)}</p>}
      <Box component="p" sx={{ mb: 0, typography: "caption", color: "text.caption" }}>
        {boot.mail ? words.mailed : words.notMailed(address)}
        {boot.mail && boot.simulators ? (
          <>
            {" "}
            <PlainLink href={`${boot.simulators.intuit}/mail`}>{words.mailbox}</PlainLink>
          </>
        ) : null}
      </Box>
    </>
  );
}

/** Makes another user the company's admin after confirmation. Invited users can't be admins. */
function HandOver({ company }: { company: CompanyView }) {
  const [isAsking, setAsking] = useState(false);
  const others = (company.authorized_users ?? []).filter(
    (email) => email !== company.admin && !company.invited_users?.includes(email),
  );
  const [first] = others;
  if (first === undefined) return null;
  return (
    <>
      <Button variant="text" sx={{ mt: 2, ml: -1 }} onClick={() => setAsking(true)}>
        {handOverWords.open}
      </Button>
      {isAsking ? (
        <HandOverQuestion company={company} others={others} first={first} onClose={() => setAsking(false)} />
      ) : null}
    </>
  );
}

type QuestionProps = { company: CompanyView; others: readonly string[]; first: string; onClose: () => void };

function HandOverQuestion({ company, others, first, onClose }: QuestionProps) {
  const [email, setEmail] = useState(first);
  return (
    <Question
      title={handOverWords.title(company.name)}
      keep={handOverWords.keep}
      confirm={handOverWords.confirm}
      change={() => call(handOver, { query: { realm_id: company.id, email } })}
      done={handOverWords.done(email, company.name)}
      changed={[queryKeys.companies, queryKeys.user]}
      onClose={onClose}
    >
      <p>{handOverWords.text}</p>
      {company.paid_services?.length ? <p>{handOverWords.paying}</p> : null}
      <SelectField
        label={handOverWords.who}
        value={email}
        options={others.map((other) => ({ value: other, label: other }))}
        onChange={setEmail}
      />
    </Question>
  );
}
