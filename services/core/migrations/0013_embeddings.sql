-- What pictures mean, as vectors, for the search.
--
-- [Note: Derived vectors] The bytes of an embedding say all. What makes the nearest be found soon is derived of them
-- by triggers, in the same transaction: signatures everywhere, and where the server has pgvector also vectors with an
-- index, which a process makes at its start and no migration does. So a library moves to a server with pgvector and
-- back without being looked at anew, and whoever writes an embedding need not know which server it is.

create table media_item_embeddings (
  media_item_id uuid not null references media_items on delete cascade,
  model         text not null check (model <> ''),
  user_id       uuid not null references users on delete cascade,
  embedding     bytea not null check (length(embedding) = 1024),
  primary key (media_item_id, model)
);
comment on table media_item_embeddings is
  'Derived: what the picture of an item means to a model, by the component SEARCH. It is in no answer of the API.';
comment on column media_item_embeddings.media_item_id is 'The item whose picture it is.';
comment on column media_item_embeddings.model is 'Only embeddings of one model can be compared, see [Note: Change of model].';
comment on column media_item_embeddings.user_id is 'The item''s own, which never changes.';
comment on column media_item_embeddings.embedding is '512 half floats, the lower byte first, of length 1 together.';

create index media_item_embeddings_owner on media_item_embeddings (user_id, model, media_item_id);

create table embedding_signatures (
  media_item_id uuid not null,
  model         text not null,
  user_id       uuid not null,
  visibility    text not null,
  signature     bit(512) not null,
  primary key (media_item_id, model),
  foreign key (media_item_id, model) references media_item_embeddings on delete cascade
);
comment on table embedding_signatures is
  'Derived: the signs of the numbers of an embedding, by which the nearest are chosen that are then compared exactly, see [Note: Derived vectors].';
comment on column embedding_signatures.media_item_id is 'The item whose embedding it is of.';
comment on column embedding_signatures.model is 'The model of the embedding.';
comment on column embedding_signatures.user_id is 'The owner of the item.';
comment on column embedding_signatures.visibility is 'The item''s own, kept here by a trigger, so that a scan need not look at the items.';
comment on column embedding_signatures.signature is 'A bit for each number: 0 for a negative one.';

create index embedding_signatures_owner on embedding_signatures (user_id, model);

create table answering_models (
  user_id      uuid primary key references users on delete cascade,
  model        text not null check (model <> ''),
  wanted_model text check (wanted_model <> ''),
  looked_to    uuid
);
comment on table answering_models is
  'Derived: by the embeddings of which model a library is searched, see [Note: Change of model]; no row before the first embedding.';
comment on column answering_models.user_id is 'Whose library it is.';
comment on column answering_models.model is 'The model that has an embedding of everything.';
comment on column answering_models.wanted_model is 'The model that is to answer once it has; null while no other one is wanted.';
comment on column answering_models.looked_to is
  'The last item that was looked at for an embedding of the wanted model, in the order of ids; the greatest id when all have been.';

create function embedding_signature_of(embedding bytea) returns bit(512) language sql immutable strict parallel safe return (
  select string_agg((1 - get_bit(embedding, 16 * n + 15))::text, '' order by n)::bit(512)
  from generate_series(0, 511) as n);

-- IEEE 754 binary16: a sign, five bits of exponent and ten of fraction.
create function embedding_numbers_of(embedding bytea) returns real[] language sql immutable strict parallel safe return (
  select array_agg(
    (case when bits >= 32768 then -1 else 1 end *
      case when (bits >> 10) & 31 = 0 then (bits & 1023) * 2.0::float8 ^ -24
      else (1024 + (bits & 1023)) * 2.0::float8 ^ (((bits >> 10) & 31) - 25) end)::real
    order by n)
  from (
    select n, get_byte(embedding, 2 * n) + 256 * get_byte(embedding, 2 * n + 1) as bits
    from generate_series(0, length(embedding) / 2 - 1) as n) as halves);

-- Whoever writes an embedding has locked the item.
create function write_embedding_signature() returns trigger language plpgsql as $$
begin
  insert into embedding_signatures (media_item_id, model, user_id, visibility, signature)
  select id, new.model, new.user_id, visibility, embedding_signature_of(new.embedding)
  from media_items where id = new.media_item_id
  on conflict (media_item_id, model) do update set visibility = excluded.visibility, signature = excluded.signature;
  return null;
end $$;

create trigger media_item_embeddings_signature after insert or update on media_item_embeddings
  for each row execute function write_embedding_signature();

create function follow_media_item_embeddings() returns trigger language plpgsql as $$
begin
  update embedding_signatures set visibility = new.visibility where media_item_id = new.id;
  return null;
end $$;

create trigger media_items_embeddings after update on media_items for each row
  when (old.visibility is distinct from new.visibility) execute function follow_media_item_embeddings();
