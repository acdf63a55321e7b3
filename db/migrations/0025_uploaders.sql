-- Who sent an upload, whatever e-mail they have now. The e-mail that they had then stays beside it, for uploads whose
-- user is not known any more: it says nothing of who has it today.
alter table upload add column uploaded_by_id uuid references app_user (id) on delete set null;
update upload set uploaded_by_id = entry.user_id from audit_entry entry
  where entry.action in ('invoices.upload', 'invoices.check') and entry.realm_id = upload.realm_id
    and entry.ids ->> 'upload' = upload.id::text;
