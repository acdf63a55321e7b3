-- A page that lost its answer asks by the id of a printing alone.
create index label_print_by_id on label_print (realm_id, id);
