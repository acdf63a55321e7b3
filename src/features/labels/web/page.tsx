import { labelWords as words } from "#features/labels/web/words.ts";
import { boot } from "#web/kit/boot.ts";
import { GroupGate } from "#web/kit/group-gate.tsx";
import { Notice } from "#web/kit/notice.tsx";
import { PageTitle } from "#web/kit/page-title.tsx";
import { Sheet } from "#web/kit/sheet.tsx";

/** Shipping labels. */
export function LabelPage() {
  return (
    <>
      <PageTitle documentTitle={words.documentTitle}>{words.title(boot.product)}</PageTitle>
      <GroupGate group="brainchild">
        <Sheet>
          <Notice tone="blue" title={words.notYet}>
            <p>{words.text}</p>
          </Notice>
        </Sheet>
      </GroupGate>
    </>
  );
}
