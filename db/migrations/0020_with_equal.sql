-- Whether a person looked at a check and wants invoices posted that equal ones of other files.
alter table upload add column with_equal boolean not null default false;
update upload set report = report || '{"equal_invoices": 0}' where report is not null;
