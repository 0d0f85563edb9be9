# Starts PostgreSQL with the arguments, once no other server uses its data directory. A pod deleted without a grace
# period keeps running for seconds alongside its replacement. PostgreSQL cannot detect this: it compares process ids, and
# the server has the id 1 in both containers. The lock file LOCK is held until the last process of the server exits.
set -euo pipefail
exec 9>>"$LOCK"
flock 9
exec docker-entrypoint.sh "$@"
