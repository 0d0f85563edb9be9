import { writeFile } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { migrationsDirectory } from '@hearth/core/db/migrate.ts';
import { createMigratedDatabase } from '../database/migratedDatabase.ts';
import { readChecksums, readFixture } from '../release/fixture.ts';
import { writeFixture } from '../release/writeFixture.ts';
import { schemaFiles } from './schemaFiles.ts';

// npm run docs:schema: writes every file that is generated from the schema, and the fixture `next` if a migration has changed.
const database = await createMigratedDatabase();
for (const { path, render } of schemaFiles) await writeFile(path, await render(database.url));
await database.drop();
const { migrations } = await readFixture('next');
if (!isDeepStrictEqual(migrations, await readChecksums(migrationsDirectory))) await writeFixture('next');
