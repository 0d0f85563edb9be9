# Starts PostgreSQL with the arguments, once no other server uses its data directory. A pod deleted without grace lives
# on for seconds next to its replacement. PostgreSQL detects another server by its process id, which is 1 in both
# containers. The lock file LOCK is held as long as any process of the server lives.
set -euo pipefail
exec 9>>"$LOCK"
flock 9
exec docker-entrypoint.sh "$@"
