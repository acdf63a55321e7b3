import { homeWords as words } from "#web/home/words.ts";
import { httpStatus } from "#web/kit/api-error.ts";
import { booksAddress, boot } from "#web/kit/boot.ts";
import { Icon } from "#web/kit/icon.tsx";
import { useAnnounce } from "#web/kit/live-region.tsx";
import { Notice } from "#web/kit/notice.tsx";
import { forgetFiles } from "#web/kit/kept-file.ts";
import { useSession } from "#web/kit/session/session.ts";
import { forgetDrafts } from "#web/kit/use-draft.ts";
import { visuallyHidden } from "#web/kit/visually-hidden.ts";
import Button from "@mui/material/Button";
import Typography from "@mui/material/Typography";
import { ArrowRight, ExternalLink, FileCheck, Table2, Truck, Check, TriangleAlert } from "lucide-react";
import { type MouseEvent, useEffect } from "react";
import { Link, useSearchParams } from "react-router";

/** Landing page; `home.css` also styles it before this script runs. */
export function HomePage() {
  return (
    <>
      <SignedOutNotice />
      <div className="landing">
        <Hero />
        <Points />
        {boot.ediPartnerUrl ? <Edi href={boot.ediPartnerUrl} /> : null}
        {boot.demo ? <Demo /> : null}
      </div>
    </>
  );
}

function Hero() {
  const { authError } = useSession();
  /** A guest would only read on the Upload page that they must sign in. */
  const signInFirst = (event: MouseEvent) => {
    if (httpStatus(authError) !== 401 || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    window.location.assign("/start/");
  };
  return (
    <div className="hero">
      <div>
        <title>{`${words.documentTitle} · ${boot.product}`}</title>
        <Typography variant="h1" tabIndex={-1}>
          <span className="product">
            {boot.product}
            <span className="unseen">:</span>
          </span>{" "}
          {words.headline}
        </Typography>
        <p className="lead">{words.lead(boot.product)}</p>
        <div className="acts">
          <Button component={Link} to="/app/" variant="contained" onClick={signInFirst}>
            {words.getStarted}
          </Button>
          {boot.demo ? (
            <Button component={Link} to="/app/" onClick={signInFirst}>
              <span className="sample">{words.demo.start}</span>
              <Icon of={ArrowRight} size="small" />
            </Button>
          ) : null}
        </div>
        <p className="cap free">
          {words.free} <span>{boot.priceNote}</span>
        </p>
      </div>
      <ReviewShot />
    </div>
  );
}

const PICTURES = [Truck, FileCheck, Table2] as const;

function Points() {
  return (
    <section aria-label={words.does(boot.product)}>
      <ul className="points">
        {words.points.map(({ name, text }, index) => (
          <li key={name}>
            <Icon of={PICTURES[index] ?? Table2} size="large" />
            <b>{name}</b> <span>{text}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Edi({ href }: { href: string }) {
  return (
    <section className="band" aria-labelledby="edi">
      <div>
        <h2 id="edi">{words.edi.title}</h2>
        <p>{words.edi.text}</p>
      </div>
      <Button href={href} rel="noopener" variant="outlined">
        {words.edi.link}
        <Icon of={ExternalLink} size="small" />
        <span style={visuallyHidden}>{words.edi.external}</span>
      </Button>
    </section>
  );
}

function Demo() {
  const books = booksAddress();
  return (
    <section className="band" aria-labelledby="demo">
      <div>
        <h2 id="demo">{words.demo.title}</h2>
        <p>{words.demo.text}</p>
      </div>
      {books ? (
        <Button href={books} variant="outlined">
          {words.demo.books}
          <Icon of={ExternalLink} size="small" />
        </Button>
      ) : null}
    </section>
  );
}

function SignedOutNotice() {
  const announce = useAnnounce();
  const { authStatus, authError } = useSession();
  const asked = useSearchParams()[0].has("signed_out");
  // A server that is away says nothing about the session.
  const signedOut = asked && httpStatus(authError) === 401;
  useEffect(() => {
    if (!signedOut) return;
    forgetDrafts();
    void forgetFiles();
    announce(words.signedOut);
  }, [signedOut, announce]);
  // A user who signed in again and goes back lands here, with new drafts, which must be kept.
  return asked && authStatus !== "success" ? <Notice tone="blue" title={words.signedOut} /> : null;
}

/** Picture of a review, built from the same table, chip and double rule as the real one. */
function ReviewShot() {
  const { shot } = words;
  return (
    <div className="shot" role="img" aria-label={shot.label}>
      <div className="cap">{shot.file}</div>
      <div className="shot-head">
        <span>
          <b>{shot.ready}</b> <span className="sum">{shot.total}</span>
        </span>
        <span className="chip">
          <Icon of={TriangleAlert} size={13} />
          <span>{shot.question}</span>
        </span>
      </div>
      <table>
        <thead>
          <tr>
            {shot.heads.map((head, index) => (
              <th key={head} className={index === 2 ? "amount" : undefined}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shot.invoices.map(({ number, customer, amount, open }) => (
            <tr key={number} className={open ? "open" : undefined}>
              <td className="number">{number}</td>
              <td>{customer}</td>
              <td className="amount">{amount}</td>
              <td>
                <span className={open ? "chip" : "ready"}>
                  <Icon of={open ? TriangleAlert : Check} size={open ? 13 : "small"} />
                  <span>{open ? shot.isOpen : shot.isReady}</span>
                </span>
              </td>
            </tr>
          ))}
          <tr className="total">
            <td colSpan={2}>{shot.sum}</td>
            <td className="amount">
              <span className="double">{shot.total}</span>
            </td>
          </tr>
        </tbody>
      </table>
    </div>
  );
}
