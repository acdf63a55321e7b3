-- A workbook may be checked first and posted later, by one click, exactly as it was checked.
alter table upload
  add column phase text not null default 'post' check (phase in ('check', 'post')),
  -- Whether a person has asked to post what was checked.
  add column confirmed boolean not null default false,
  -- 'invoice': an invoice is posted whole or not at all. 'file': all of the file or nothing of it.
  add column mode text not null default 'invoice' check (mode in ('invoice', 'file')),
  -- What the check found, and what had changed in the books when it was to be posted.
  add column report jsonb,
  add column changes jsonb not null default '[]',
  drop constraint upload_state_check,
  add constraint upload_state_check
    check (state in ('queued', 'working', 'paused', 'finished', 'stopped', 'checked'));
drop index upload_newest;
create index upload_newest on upload (realm_id, phase, uploaded_at desc, id);
