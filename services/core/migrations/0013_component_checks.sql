-- How far the search for results of earlier versions of a component has come: a row for each component that has been looked at.
create table component_checks (
  component  text primary key,
  version    integer not null, -- results of earlier ones are made anew
  checked_to uuid -- the last item that was looked at, in the order of their ids; null when all have been
);
