-- Who does what only one process may do. The fencing number rises with each new holder, and the writes done under a lease
-- carry it, so that a holder that was frozen and wakes up writes nothing.
create table leases (
  name       text primary key,
  holder     uuid not null,
  fencing    bigint not null,
  held_until timestamptz not null
);
