import type { SessionCompany } from "#features/identity/contract.ts";
import { keptFileOf } from "#web/kit/kept-file.ts";
import { useSession } from "#web/kit/session/session.ts";
import { useEffect, useState } from "react";

/** The chosen file of a company, kept until it is sent: a reload and a session that ends do not lose it. */
export function useKeptFile(company: SessionCompany | null): [File | null, (file: File | null) => void] {
  const { email } = useSession();
  const [file, setFile] = useState<File | null>(null);
  const [kept] = useState(() => keptFileOf(`${KEPT}.${email}.${company?.id ?? ""}`));
  useEffect(() => {
    // What was chosen meanwhile counts.
    void kept.read().then((found) => setFile((chosen) => chosen ?? found));
  }, [kept]);
  const choose = (chosen: File | null) => {
    setFile(chosen);
    if (chosen) void kept.keep(chosen);
    else kept.forget();
  };
  return [file, choose];
}

const KEPT = "invoices";
