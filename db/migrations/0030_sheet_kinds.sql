-- What a user said of a column or of dates counts for one kind of sheet.
alter table column_choice add column kind text not null default 'invoices';
alter table column_choice alter column kind drop default;
alter table column_choice drop constraint column_choice_pkey, add primary key (realm_id, kind, header_key);

alter table date_order_choice add column kind text not null default 'invoices';
alter table date_order_choice alter column kind drop default;
alter table date_order_choice drop constraint date_order_choice_pkey, add primary key (realm_id, kind);
