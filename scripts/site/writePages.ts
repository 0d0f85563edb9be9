import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { listPages } from './pages.ts';

// npm run docs:pages: writes the generated pages of the guide.
const root = join(import.meta.dirname, '../..');
for (const [path, text] of listPages()) writeFileSync(join(root, path), `${text}\n`);
execFileSync(
  join(root, 'node_modules/.bin/oxfmt'),
  listPages().map(([path]) => path),
  { cwd: root },
);
