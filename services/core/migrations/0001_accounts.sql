-- Accounts: who has a library, who is signed in, and what keeps others out.
--
-- [Note: Classes of tables] The comment of each table begins with its class. Truth is what nothing else in the database
-- or the store can tell. Derived is what can be made again of truth, by SQL or by a component of the pipeline. Machine
-- is what running processes note for one another: without it a library is whole.

-- [Note: Names in order] Names are sorted as people do: Ä beside A, 2 before 10, without regard to case first. By a key
-- that is made when a name is written and compared byte by byte, so that the order is the same on every server, with
-- ICU or without, whatever its locale, and no update of a library of the system can break an index. Only functions of
-- PostgreSQL that depend on no locale are used, and by no other function of ours, since dumps are restored with an
-- empty search_path. The key: the name with its letters decomposed, accents away, and in lower case; then the name
-- itself, which tells apart what differs in accents and case alone. 0001 stands between: below whatever a name may
-- hold. Each number, without zeros in front, has the count of its digits before it, of more than eight in nines and a
-- rest: 7 is 17, 10 is 210, and one of ten digits begins with 91.
create function sort_key_of(name text) returns text language sql immutable strict parallel safe as $$
  select left(string_agg(
      part[1] || case when part[2] = '' then '' else repeat('9', length(digits) / 9) || length(digits) % 9 || digits end, '' order by nth), 255)
    || chr(1) || left(name, 255)
  from (
    select lower(translate(translate(
        replace(replace(replace(replace(replace(replace(replace(replace(
          regexp_replace(normalize(name, nfkd) collate "C", '[\u0300-\u036f\ufe00-\ufe0f]', '', 'g'),
          'ß', 'ss'), 'ẞ', 'ss'), 'Æ', 'ae'), 'æ', 'ae'), 'Œ', 'oe'), 'œ', 'oe'), 'Þ', 'th'), 'þ', 'th'),
        -- Latin letters that do not decompose; Greek, Cyrillic and Armenian capitals.
        'ØøĐđÐðĦħıŁłŊŋŦŧƏΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩς' || 'АБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯЂЄЅІЈЉЊЋЏҐӘҒҚҢӨҰҮҺ' || 'ԱԲԳԴԵԶԷԸԹԺԻԼԽԾԿՀՁՂՃՄՅՆՇՈՉՊՋՌՍՎՏՐՑՒՓՔՕՖ',
        'ooddddhhillnnttəαβγδεζηθικλμνξοπρστυφχψωσ' || 'абвгдежзийклмнопрстуфхцчшщъыьэюяђєѕіјљњћџґәғқңөұүһ' || 'աբգդեզէըթժիլխծկհձղճմյնշոչպջռսվտրցւփքօֆ'),
        '‘’‚‛“”„‟«»‹›‐‒–—―−¡¿', '''''''''""""""''''------!?') collate "C") as folded
  ) as words
  cross join lateral regexp_matches(folded, '([^0-9]*)([0-9]*)', 'g') with ordinality as found (part, nth)
  cross join lateral (select coalesce(nullif(ltrim(part[2], '0'), ''), '0') as digits) as number
$$;

-- Whether this transaction removes rows of an account that goes as a whole.
create function is_removing_account() returns boolean language sql stable
return coalesce(current_setting('hearth.is_removing_account', true), '') = 'on';

create table users (
  id            uuid primary key,
  name          text not null,
  username      text not null,
  username_key  text not null,
  password_hash text not null,
  features      jsonb not null default '{}',
  link_epoch    integer not null default floor(random() * 2147483647),
  quota_bytes   bigint check (quota_bytes >= 0),
  removing_at   timestamptz,
  created_at    timestamptz not null default now(),
  updated_at    timestamptz not null default now(),
  sort_name     text collate "C" not null generated always as (sort_key_of(name)) stored
);
comment on table users is 'Truth: an account, which has one library.';
comment on column users.id is 'Names the account, also in the keys of its objects.';
comment on column users.name is 'What the account is called in sight of others.';
comment on column users.username is 'What is typed to sign in.';
comment on column users.username_key is 'What the user name looks like, by which it is unique (db/accounts/usernameKey.ts).';
comment on column users.password_hash is 'The hash of the password, with the parameters that it was made by.';
comment on column users.features is 'What of the library is switched on or off; a feature that is not named is on.';
comment on column users.link_epoch is 'Named by all signed file links of the account; a new value ends those links.';
comment on column users.quota_bytes is 'How much of the store the account may take; null for as much as there is.';
comment on column users.removing_at is 'Since when the account is being removed: its sessions are gone, its objects and rows follow.';
comment on column users.created_at is 'When the account was made.';
comment on column users.updated_at is 'When the account was last changed.';
comment on column users.sort_name is 'The key that accounts are sorted by, see [Note: Names in order].';

-- A name is free again as soon as its account is being removed.
create unique index users_username_key on users (username_key) where removing_at is null;
create index users_by_name on users (sort_name, id) where removing_at is null;

create table sessions (
  id                  uuid primary key,
  user_id             uuid not null references users on delete cascade,
  family_hash         bytea not null unique,
  refresh_token_hash  bytea not null,
  previous_token_hash bytea,
  successor_salt      bytea,
  refreshed_at        timestamptz,
  device              text,
  network             text,
  created_at          timestamptz not null default now(),
  expires_at          timestamptz not null
);
comment on table sessions is 'Machine: a device on which somebody has signed in. The columns of tokens are explained in [Note: Refresh tokens].';
comment on column sessions.id is 'Named by access tokens, so that to end the session refuses them at once on every replica.';
comment on column sessions.user_id is 'The user who has signed in.';
comment on column sessions.family_hash is 'The hash of the secret that all refresh tokens of the session begin with.';
comment on column sessions.refresh_token_hash is 'The hash of the refresh token that is good now.';
comment on column sessions.previous_token_hash is 'The hash of the refresh token before that one, which is taken for a few seconds more.';
comment on column sessions.successor_salt is
  'What the present refresh token was made of together with the previous one, so that both of two requests at once are given the same.';
comment on column sessions.refreshed_at is 'When the present refresh token was made; null until the first refresh.';
comment on column sessions.device is 'What the client called itself at the sign-in and then at the last refresh.';
comment on column sessions.network is 'The network that the client was last seen in.';
comment on column sessions.created_at is 'When somebody signed in.';
comment on column sessions.expires_at is 'When the session ends unless it is refreshed.';

create index sessions_user_id on sessions (user_id);
create index sessions_expires_at on sessions (expires_at);

create table login_attempts (
  id         uuid not null,
  subject    bytea not null,
  is_pending boolean not null,
  at         timestamptz not null,
  primary key (id, subject)
);
comment on table login_attempts is
  'Machine: an attempt to sign in as it counts against one subject, the account that was named or the network it came from; kept for a '
  'little more than an hour.';
comment on column login_attempts.id is 'Names the attempt, which has a row for each of its subjects.';
comment on column login_attempts.subject is 'A hash of the subject, since people type passwords where a user name belongs.';
comment on column login_attempts.is_pending is 'Whether its password is still being checked; else it has failed.';
comment on column login_attempts.at is 'When it began, and then when it failed.';

create index login_attempts_subject on login_attempts (subject, at);
create index login_attempts_at on login_attempts (at);

create table known_networks (
  subject bytea primary key,
  at      timestamptz not null
);
comment on table known_networks is 'Machine: an account, or the administrator, beside a network from which it signed in lately.';
comment on column known_networks.subject is 'A hash of both, as in login_attempts.';
comment on column known_networks.at is 'When it last signed in from there.';

create index known_networks_at on known_networks (at);
