import { LoadingPart } from "./stage.tsx";
import { KitSection } from "./sections/kit.tsx";
import { sections, type SectionName } from "./sections.ts";
import { galleryWords as words } from "./words.ts";
import { NotFoundPage } from "#web/kit/not-found/page.tsx";
import { PageHead } from "#web/kit/page-head.tsx";
import { TextLink } from "#web/kit/text-link.tsx";
import { Suspense } from "react";
import { useSearchParams } from "react-router";

/** Full-page screens have their own heading. */
const FULL_PAGE: readonly string[] = ["fallback", "not-found"] satisfies SectionName[];

/** Shows every part of the product in each state, for screenshots and for work on pages: `?section=check`. */
export function GalleryPage() {
  const [query] = useSearchParams();
  const name = query.get("section") ?? "kit";
  const Section = name === "kit" ? KitSection : sections[name as SectionName];
  if (!Section) return <NotFoundPage />;
  return (
    <>
      {FULL_PAGE.includes(name) ? null : (
        <PageHead title={words.title} mark="on" crumb={{ to: "/", parent: words.home, here: words.title }}>
          {words.intro}
        </PageHead>
      )}
      <Suspense fallback={<LoadingPart />}>
        <div key={name} data-section={name}>
          <Section />
        </div>
      </Suspense>
      <nav aria-label={words.sectionsTitle}>
        <ul>
          {Object.entries(words.sections).map(([section, label]) => (
            <li key={section}>
              <TextLink to={`?section=${section}`}>{label}</TextLink>
            </li>
          ))}
        </ul>
      </nav>
    </>
  );
}
