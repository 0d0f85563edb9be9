# Starts PostgreSQL, the arguments, once nobody else works on its files. A pod that was deleted without grace lives on for seconds beside the one that takes its
# place, and PostgreSQL knows the other server by its process number, which is 1 in both containers. The lock, LOCK, is held as long as any process of the server lives.
set -euo pipefail
exec 9>>"$LOCK"
flock 9
exec docker-entrypoint.sh "$@"
