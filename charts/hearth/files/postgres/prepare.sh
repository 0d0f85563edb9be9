# Creates the data directory if it is missing: the role and the database of Hearth, and pgvector, which only a superuser
# can install.
# The directory is built under a temporary name and renamed when complete. Otherwise the image's entry point would treat
# the remains of a killed run as a database.
# PGDATA is the data directory, PASSWORDS the folder of the files superuser-password and password, and LOCK the lock
# file shared with serve.sh.
set -euo pipefail
exec 9>>"$LOCK"
flock 9
if [ -s "$PGDATA/PG_VERSION" ]; then exit 0; fi
unfinished=$PGDATA.unfinished
rm -rf "$unfinished"
mkdir -p "$(dirname "$unfinished")"
# Sorts by code point and folds the case of every script, independent of the system's locale.
initdb --pgdata="$unfinished" --username=postgres --pwfile="$PASSWORDS/superuser-password" --auth=scram-sha-256 \
  --encoding=UTF8 --locale=C --locale-provider=builtin --builtin-locale=C.UTF-8
echo 'host all all all scram-sha-256' >>"$unfinished/pg_hba.conf"
# Until the database is complete, the server listens only on a socket for this script.
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
