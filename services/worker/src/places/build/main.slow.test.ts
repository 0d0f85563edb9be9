import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { unusualServers, startFileServer, uselessServers } from '@hearth/testkit/servers/fileServer.ts';

const directory = await mkdtemp(join(tmpdir(), 'hearth-places-main-'));
after(() => rm(directory, { recursive: true }));

test('npm run places builds its file despite a broken mirror, and reports each failure', async (t) => {
  const odd = Object.values(unusualServers);
  const useless = Object.values(uselessServers);
  // Excludes reports that do not apply: postcode archives have no known length, and their downloads are not resumed.
  const reports = useless
    .filter(
      ({ report }) =>
        !['with \\d+ bytes', 'another range', 'does not have'].some((prefix) => report.source.startsWith(prefix)),
    )
    .map(({ report }) => report);
  const paths: string[] = [];
  const mirror = await startFileServer(
    () => Buffer.alloc(100_000),
    ({ path }) => {
      if (!paths.includes(path)) paths.push(path);
      const index = paths.indexOf(path);
      // Two failures in a row would end the downloads.
      return index % 2 === 0 ? odd[(index / 2) % odd.length]! : useless[((index - 1) / 2) % useless.length]!.respond;
    },
  );
  t.after(mirror.close);
  const { code, output } = await new Promise<{ readonly code: number; readonly output: string }>((resolve) => {
    execFile(
      process.execPath,
      ['--max-old-space-size=400', join(import.meta.dirname, 'main.ts')],
      { env: { HEARTH_DATA_DIR: directory, HEARTH_GEO_MIRROR: mirror.url, HEARTH_OFFLINE: '1' } },
      (error, stdout, stderr) => resolve({ code: error === null ? 0 : Number(error.code), output: stdout + stderr }),
    );
  });
  assert.equal(code, 0, output);
  assert.match(output, /places\.bin: [\d.]+ MB/);
  for (const report of reports) assert.match(output, report);
});
