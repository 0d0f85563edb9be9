import { pg } from '@hearth/core/db/guardedPg.ts';

/** The role that Hearth uses on the embedded server. It owns the database and everything in it and is no superuser. */
export const applicationRole = 'hearth_application';

/**
 * Creates or updates the application role with this password, and makes it the owner of the database in
 * `administratorUrl`.
 */
export const prepareApplicationRole = async (administratorUrl: string, password: string): Promise<void> => {
  const client = new pg.Client({ connectionString: administratorUrl, connectionTimeoutMillis: 10_000 });
  // A broken connection fails its query, too. Without a listener the error would end the process.
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query(`begin; set local search_path to ''`);
    const exists = await client.query('select from pg_roles where rolname = $1', [applicationRole]);
    await client.query(
      `${exists.rowCount === 0 ? 'create' : 'alter'} role ${applicationRole} with
       login nosuperuser nocreatedb nocreaterole noreplication nobypassrls password ${client.escapeLiteral(password)}`,
    );
    const { rows } = await client.query<{ name: string }>('select current_database() as name');
    await client.query(`alter database ${client.escapeIdentifier(rows[0]!.name)} owner to ${applicationRole}`);
    await client.query('commit');
  } finally {
    await client.end();
  }
};
