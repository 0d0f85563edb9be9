/** The embedded server's settings, by their names in PostgreSQL. */
export const postgresSettings = (port: number, isThrowaway: boolean): Readonly<Record<string, string | number>> => ({
  ...baseSettings,
  ...(isThrowaway ? throwawaySettings : {}),
  port,
});

/** Sized for a home server: 24 MB in memory of its own at rest (sum of PSS, 2026-11), with durability as PostgreSQL has it by default. */
const baseSettings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: 60,
  // The system keeps in memory what does not fit, and gives it back when photos need the room.
  shared_buffers: '64MB',
  max_wal_size: '512MB',
  // No extra processes for reading, from which home servers' disks gain nothing, and none for replication.
  io_method: 'sync',
  max_logical_replication_workers: 0,
  // Queries are short: compiling them takes longer than running them.
  jit: 'off',
  timezone: 'UTC',
  // One file for each day of the week, so the log needs no tidying. Statements are not logged: they hold names and places of a family.
  logging_collector: 'on',
  log_directory: 'log',
  log_filename: 'postgres-%a.log',
  log_rotation_age: '1d',
  log_truncate_on_rotation: 'on',
  log_timezone: 'UTC',
  log_checkpoints: 'off',
  log_min_error_statement: 'panic',
};

/** Settings for tests, of which many files share one server. Committed data survives a kill, but not a power loss. */
const throwawaySettings = { max_connections: 300, fsync: 'off', full_page_writes: 'off' };
