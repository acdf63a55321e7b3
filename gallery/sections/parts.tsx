import { Row } from "../sample.tsx";
import { galleryWords } from "../words.ts";
import { Card } from "#web/kit/card.tsx";
import { Chip } from "#web/kit/chip.tsx";
import { Filters } from "#web/kit/filters.tsx";
import { Skeleton } from "#web/kit/skeleton.tsx";
import { type Figure, SummaryBand } from "#web/kit/summary-band.tsx";
import { Tabs } from "#web/kit/tabs.tsx";
import Button from "@mui/material/Button";
import { useState } from "react";

const words = galleryWords.kitParts;

const figures: readonly Figure[] = [
  { label: words.inFile, value: "17", note: words.invoices },
  { label: words.ready, value: "10", note: "$804.25", mark: "green" },
  { label: words.open, value: "3", note: "$312.00", mark: "amber" },
  { label: words.wrong, value: "4", mark: "red" },
];

/** Parts of pages: head, summary band, chips, filters, tabs, and a list skeleton. */
export function Parts() {
  const [filter, setFilter] = useState("all");
  const [tab, setTab] = useState("sheet");
  return (
    <>
      <Card
        title={words.title}
        note={words.note}
        actions={
          <Filters
            label={words.filters}
            value={filter}
            options={[
              { value: "all", label: words.all, count: 17 },
              { value: "ready", label: words.ready, count: 10 },
            ]}
            onChange={setFilter}
          />
        }
      >
        <Row>
          {(["gray", "red", "amber", "blue", "green", "plain", "ok"] as const).map((tone) => (
            <Chip key={tone} tone={tone}>
              {words.chips[tone]}
            </Chip>
          ))}
        </Row>
        <Tabs
          label={words.tabs}
          value={tab}
          tabs={[
            { value: "sheet", label: words.sheet },
            { value: "typed", label: words.typed },
          ]}
          onChange={setTab}
        >
          <p>{words.panel}</p>
        </Tabs>
        <Skeleton isBusy label={words.loading} rows={2} />
      </Card>
      <SummaryBand label={words.band} figures={figures} progress={{ label: words.posting, percent: 60 }}>
        <Button>{words.cancel}</Button>
        <Button variant="contained" data-main>
          {words.post}
        </Button>
      </SummaryBand>
    </>
  );
}
