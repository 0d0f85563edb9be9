import { join } from 'node:path';
import { dumpSchema } from './dumpSchema.ts';
import { renderRowTypes } from './rowTypes.ts';
import { renderTablesPage } from './tablesPage.ts';

const core = join(import.meta.dirname, '../../../core');

/** A file generated from the database schema by `npm run docs:schema`. */
interface SchemaFile {
  readonly path: string;
  render(url: string): Promise<string>;
}

export const schemaFiles: readonly SchemaFile[] = [
  { path: join(core, 'src', 'db', 'tables.ts'), render: renderRowTypes },
  { path: join(core, 'schema.sql'), render: dumpSchema },
  { path: join(core, '..', '..', 'docs', 'docs', 'dev-guide', 'database.md'), render: renderTablesPage },
];
