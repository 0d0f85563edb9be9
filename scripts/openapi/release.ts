import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { apiVersion } from '@hearth/contract/system.ts';
import { findBreaks } from './findBreaks.ts';
import { newestRelease, presentJson, releasedPath } from './releases.ts';

// npm run release:openapi: saves the current contract as the released one of its version. From then on breaking changes
// need a new version. They are printed here for the changelog.

const released = newestRelease();
const breaks = released === undefined ? [] : findBreaks(released.json, presentJson());
for (const each of breaks) console.log(each);
if (breaks.length > 0 && released?.version === apiVersion) {
  console.error(
    `\nThese are breaking changes of API version ${apiVersion}. Undo them, or raise apiVersion in contract/src/system.ts.`,
  );
  process.exitCode = 1;
} else {
  const path = releasedPath(apiVersion);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, presentJson());
  console.log(`Released as ${path}`);
}
