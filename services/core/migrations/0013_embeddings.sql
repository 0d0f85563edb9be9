-- Embeddings of pictures for semantic search.
--
-- [Note: Derived vectors] The bytes of an embedding are the only source; triggers derive the search structures from
-- them in the same transaction. Signatures exist on every server. On servers with pgvector there are also vectors with
-- an index, created by a process at its start and not by a migration. So a library can move to a server with or without
-- pgvector without new embeddings, and code that writes embeddings is the same for both.

create table media_item_embeddings (
  media_item_id uuid not null references media_items on delete cascade,
  model         text not null check (model <> ''),
  user_id       uuid not null references users on delete cascade,
  embedding     bytea not null check (length(embedding) = 1024),
  primary key (media_item_id, model)
);
comment on table media_item_embeddings is
  'Derived: the embedding of a picture by a model, for semantic search, by the component SEARCH. The API never returns it.';
comment on column media_item_embeddings.media_item_id is 'Item with the picture.';
comment on column media_item_embeddings.model is 'Model of the embedding; only equal models are comparable, see [Note: Change of model].';
comment on column media_item_embeddings.user_id is 'Owner of the item, never changes.';
comment on column media_item_embeddings.embedding is 'Unit vector of 512 16-bit floats, little-endian.';

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
  'Derived: the signs of an embedding''s numbers. They select candidates, which are then compared exactly, see [Note: Derived vectors].';
comment on column embedding_signatures.media_item_id is 'Item with the embedding.';
comment on column embedding_signatures.model is 'Model of the embedding.';
comment on column embedding_signatures.user_id is 'Owner of the item.';
comment on column embedding_signatures.visibility is 'Copy of the item''s visibility, maintained by a trigger, so that scans need no join.';
comment on column embedding_signatures.signature is 'One bit per number: 0 if negative.';

create index embedding_signatures_owner on embedding_signatures (user_id, model);

create table answering_models (
  user_id      uuid primary key references users on delete cascade,
  model        text not null check (model <> ''),
  wanted_model text check (wanted_model <> ''),
  looked_to    uuid
);
comment on table answering_models is
  'Derived: the model whose embeddings are used to search a library, see [Note: Change of model]. No row before the first embedding.';
comment on column answering_models.user_id is 'Owner of the library.';
comment on column answering_models.model is 'Model used for searches, with an embedding of every item.';
comment on column answering_models.wanted_model is 'Model to switch to once it has all embeddings; null without a change.';
comment on column answering_models.looked_to is
  'Last item checked for an embedding of the wanted model, in the order of ids; the greatest id when all are checked.';

create function embedding_signature_of(embedding bytea) returns bit(512) language sql immutable strict parallel safe return (
  select string_agg((1 - get_bit(embedding, 16 * n + 15))::text, '' order by n)::bit(512)
  from generate_series(0, 511) as n);

-- Decodes IEEE 754 binary16: one sign bit, five exponent bits, ten fraction bits.
create function embedding_numbers_of(embedding bytea) returns real[] language sql immutable strict parallel safe return (
  select array_agg(
    (case when bits >= 32768 then -1 else 1 end *
      case when (bits >> 10) & 31 = 0 then (bits & 1023) * 2.0::float8 ^ -24
      else (1024 + (bits & 1023)) * 2.0::float8 ^ (((bits >> 10) & 31) - 25) end)::real
    order by n)
  from (
    select n, get_byte(embedding, 2 * n) + 256 * get_byte(embedding, 2 * n + 1) as bits
    from generate_series(0, length(embedding) / 2 - 1) as n) as halves);

-- Code that writes an embedding must hold the lock of the item.
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
