import { writeFile } from 'node:fs/promises';
import { createMigratedDatabase } from '../database/migratedDatabase.ts';
import { schemaFiles } from './schemaFiles.ts';

// npm run docs:schema: writes every file that is generated from the schema.
const database = await createMigratedDatabase();
for (const { path, render } of schemaFiles) await writeFile(path, await render(database.url));
await database.drop();
