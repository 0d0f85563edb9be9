-- Accounts: users, their sessions, and protection against password guessing.
--
-- [Note: Classes of tables] The comment of each table begins with its class. Truth: facts that nothing else in the
-- database or the object store holds. Derived: data that SQL or a component of the pipeline can rebuild from the truth.
-- Machine: the state of running processes; a library is complete without it.

-- [Note: Names in order] Names are sorted in natural order: Ä next to A, 2 before 10, upper and lower case together. A
-- sort key is computed when a name is written and compared byte by byte. So the order is the same on every server, with
-- or without ICU and in any locale, and an update of a system library never corrupts an index. The function uses only
-- locale-independent functions of PostgreSQL. It calls no function of this schema, because dumps are restored with an
-- empty search_path. The key is the name, decomposed, without accents and in lower case, then character 0001, which
-- sorts before every character of a name, then the original name as a tiebreaker. Numbers lose their leading zeros and
-- get their digit count as a prefix, written as nines and a rest if it is above eight: 7 becomes 17, 10 becomes 210,
-- and a number of ten digits begins with 91.
create function sort_key_of(name text) returns text language sql immutable strict parallel safe as $$
  select left(string_agg(
      part[1] || case when part[2] = '' then '' else repeat('9', length(digits) / 9) || length(digits) % 9 || digits end, '' order by nth), 255)
    || chr(1) || left(name, 255)
  from (
    select lower(translate(translate(
        replace(replace(replace(replace(replace(replace(replace(replace(
          regexp_replace(normalize(name, nfkd) collate "C", '[\u0300-\u036f\ufe00-\ufe0f]', '', 'g'),
          'ß', 'ss'), 'ẞ', 'ss'), 'Æ', 'ae'), 'æ', 'ae'), 'Œ', 'oe'), 'œ', 'oe'), 'Þ', 'th'), 'þ', 'th'),
        -- Latin letters without a decomposition; capitals of Greek, Cyrillic and Armenian.
        'ØøĐđÐðĦħıŁłŊŋŦŧƏΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩς' || 'АБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯЂЄЅІЈЉЊЋЏҐӘҒҚҢӨҰҮҺ' || 'ԱԲԳԴԵԶԷԸԹԺԻԼԽԾԿՀՁՂՃՄՅՆՇՈՉՊՋՌՍՎՏՐՑՒՓՔՕՖ',
        'ooddddhhillnnttəαβγδεζηθικλμνξοπρστυφχψωσ' || 'абвгдежзийклмнопрстуфхцчшщъыьэюяђєѕіјљњћџґәғқңөұүһ' || 'աբգդեզէըթժիլխծկհձղճմյնշոչպջռսվտրցւփքօֆ'),
        '‘’‚‛“”„‟«»‹›‐‒–—―−¡¿', '''''''''""""""''''------!?') collate "C") as folded
  ) as words
  cross join lateral regexp_matches(folded, '([^0-9]*)([0-9]*)', 'g') with ordinality as found (part, nth)
  cross join lateral (select coalesce(nullif(ltrim(part[2], '0'), ''), '0') as digits) as number
$$;

-- Returns true if this transaction deletes a whole account, so that triggers can skip its rows.
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
comment on table users is 'Truth: an account with its one library.';
comment on column users.id is 'Id of the account, also used in object keys.';
comment on column users.name is 'Display name, visible to other users.';
comment on column users.username is 'User name typed to sign in.';
comment on column users.username_key is 'Normalized user name, equal for names that look the same (db/accounts/usernameKey.ts).';
comment on column users.password_hash is 'Password hash with its parameters.';
comment on column users.features is 'Features switched on or off; features not listed are on.';
comment on column users.link_epoch is 'Number in all signed file links of the account; a new value invalidates them.';
comment on column users.quota_bytes is 'Storage quota, in bytes; null for unlimited.';
comment on column users.removing_at is 'Start of the account''s deletion: its sessions are gone, its objects and rows follow.';
comment on column users.created_at is 'Time of the account''s creation.';
comment on column users.updated_at is 'Time of the last change.';
comment on column users.sort_name is 'Sort key of the name, see [Note: Names in order].';

-- The user name becomes available as soon as the deletion of its account starts.
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
comment on table sessions is 'Machine: a signed-in device. [Note: Refresh tokens] explains the token columns.';
comment on column sessions.id is 'Id in access tokens: deleting the session rejects them immediately on every replica.';
comment on column sessions.user_id is 'User who signed in.';
comment on column sessions.family_hash is 'Hash of the secret that starts every refresh token of the session.';
comment on column sessions.refresh_token_hash is 'Hash of the current refresh token.';
comment on column sessions.previous_token_hash is 'Hash of the previous refresh token, accepted for 10 more seconds.';
comment on column sessions.successor_salt is
  'Salt that derives the current refresh token from the previous one, so that concurrent refreshes return the same token.';
comment on column sessions.refreshed_at is 'Time of the last refresh; null before the first one.';
comment on column sessions.device is 'Client name at the last sign-in or refresh.';
comment on column sessions.network is 'Network of the last sign-in or refresh.';
comment on column sessions.created_at is 'Time of the sign-in.';
comment on column sessions.expires_at is 'Expiry time, unless the session is refreshed.';

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
  'Machine: a sign-in attempt, counted against one subject: the account or the client''s network. Kept for just over an hour.';
comment on column login_attempts.id is 'Id of the attempt, shared by the rows of its subjects.';
comment on column login_attempts.subject is 'Hash of the subject, because people sometimes type a password as the user name.';
comment on column login_attempts.is_pending is 'True while the password is checked; false after a failure.';
comment on column login_attempts.at is 'Start of the attempt, then time of its failure.';

create index login_attempts_subject on login_attempts (subject, at);
create index login_attempts_at on login_attempts (at);

create table known_networks (
  subject bytea primary key,
  at      timestamptz not null
);
comment on table known_networks is 'Machine: a recent network of an account or the administrator, recorded at a sign-in.';
comment on column known_networks.subject is 'Hash of account and network, as in login_attempts.';
comment on column known_networks.at is 'Time of the last sign-in from this network.';

create index known_networks_at on known_networks (at);
