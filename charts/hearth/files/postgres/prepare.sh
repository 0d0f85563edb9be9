# Makes the database server's files where there are none: the role and the database that Hearth works with, and pgvector, which only a superuser may install.
# All of it in a folder beside, which is renamed when it is whole: the image's own entry point would take what a kill has left of it for a database.
# PGDATA is the folder to make, PASSWORDS the one of the files superuser-password and password, and LOCK the file by which serve.sh keeps others out.
set -euo pipefail
exec 9>>"$LOCK"
flock 9
if [ -s "$PGDATA/PG_VERSION" ]; then exit 0; fi
unfinished=$PGDATA.unfinished
rm -rf "$unfinished"
mkdir -p "$(dirname "$unfinished")"
# Sorts by code point and folds the case of every script, in the same way on every system.
initdb --pgdata="$unfinished" --username=postgres --pwfile="$PASSWORDS/superuser-password" --auth=scram-sha-256 \
  --encoding=UTF8 --locale=C --locale-provider=builtin --builtin-locale=C.UTF-8
echo 'host all all all scram-sha-256' >>"$unfinished/pg_hba.conf"
# Until it is whole it listens to nobody but this script.
pg_ctl --pgdata="$unfinished" --wait --options="-c listen_addresses='' -c unix_socket_directories='$unfinished'" start
PGPASSWORD=$(cat "$PASSWORDS/superuser-password") psql --host="$unfinished" --username=postgres --no-psqlrc \
  --set=ON_ERROR_STOP=1 --set=password="$(cat "$PASSWORDS/password")" postgres <<'SQL'
create role hearth login password :'password';
create database hearth owner hearth;
\connect hearth
create extension vector;
SQL
pg_ctl --pgdata="$unfinished" --wait --mode=fast stop
mv "$unfinished" "$PGDATA"
sync
