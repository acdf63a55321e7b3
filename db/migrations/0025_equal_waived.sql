-- Of which uploads the last check left equal invoices out, and for which a person said that theirs are others all the
-- same. A wish that named no uploads is asked for again.
alter table upload
  drop column with_equal,
  add column equal_shown uuid[] not null default '{}',
  add column equal_waived uuid[] not null default '{}',
  -- Raised whenever a check tells something anew: a wish to post names what it has seen.
  add column revision integer not null default 0;
