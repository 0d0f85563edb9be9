import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readMigrations } from '@hearth/core/db/migrationFiles.ts';

// npm run release:migrations: records every migration as released. From then on npm run check rejects changes to it.
const folder = join(import.meta.dirname, '..', '..', 'services', 'core', 'migrations');
const released = (await readMigrations(folder)).map(({ name, sha256 }) => [name, sha256]);
await writeFile(join(folder, 'released.json'), `${JSON.stringify(Object.fromEntries(released), undefined, 2)}\n`);
