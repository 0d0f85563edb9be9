/** PostgreSQL settings of the embedded server. */
export const postgresSettings = (port: number, isThrowaway: boolean): Readonly<Record<string, string | number>> => ({
  ...baseSettings,
  ...(isThrowaway ? throwawaySettings : {}),
  port,
});

/** Sized for a home server: 24 MB of memory when idle (sum of PSS, 2026-11). Durability is PostgreSQL's default. */
const baseSettings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: 60,
  // Small: the system's page cache holds the rest, and frees memory when photo processing needs it.
  shared_buffers: '64MB',
  max_wal_size: '512MB',
  // No I/O processes, because they do not help on the disks of home servers, and no processes for replication.
  io_method: 'sync',
  max_logical_replication_workers: 0,
  // Queries are short: compiling them takes longer than running them.
  jit: 'off',
  timezone: 'UTC',
  // One file per weekday, so the log needs no cleanup. No statements in the log: they contain names and places.
  logging_collector: 'on',
  log_directory: 'log',
  log_filename: 'postgres-%a.log',
  log_rotation_age: '1d',
  log_truncate_on_rotation: 'on',
  log_timezone: 'UTC',
  log_checkpoints: 'off',
  log_min_error_statement: 'panic',
};

/** Test settings: many test files share one server. Committed data survives a kill, but not a power loss. */
const throwawaySettings = { max_connections: 300, fsync: 'off', full_page_writes: 'off' };
