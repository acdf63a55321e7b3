-- When an invoice last went out, null while it surely never did: what was made in the books at another time is somebody
-- else's. Of what was open when this came, only the end of the time in which it may have gone out is known.
alter table upload_invoice add column last_sent_at timestamptz;
update upload_invoice set last_sent_at = coalesce(settled_at, now()) where state in ('sending', 'unknown');
