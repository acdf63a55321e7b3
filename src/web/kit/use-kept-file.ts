import type { SessionCompany } from "#features/identity/contract.ts";
import { keptFileOf } from "#web/kit/kept-file.ts";
import { useSession } from "#web/kit/session/session.ts";
import { useEffect, useState } from "react";

/** The file that was chosen for something of a company, kept until it is sent: a reload and a session that ends do not lose it. */
export function useKeptFile(
  purpose: string,
  company: SessionCompany | null,
): [File | null, (file: File | null) => void] {
  const { email } = useSession();
  const [file, setFile] = useState<File | null>(null);
  const [kept] = useState(() => keptFileOf(purpose, `${email}.${company?.id ?? ""}`));
  useEffect(() => {
    // What was chosen meanwhile counts.
    kept.read().then((found) => setFile((chosen) => chosen ?? found), notKept);
  }, [kept]);
  const choose = (chosen: File | null) => {
    setFile(chosen);
    (chosen ? kept.keep(chosen) : kept.forget()).catch(notKept);
  };
  return [file, choose];
}

/** Offline its code may be missing: the file is then only on this page. */
const notKept = () => undefined;
