-- What was said of a sheet that became labels nevertheless, as facts: the page shows it with the labels.
alter table label_upload add column remarks jsonb not null default '[]';
