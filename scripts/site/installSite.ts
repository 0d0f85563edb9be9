import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const siteFolder = join(import.meta.dirname, '../../docs');

const stamp = join(siteFolder, 'node_modules/.installed-lock');

/** Installs the packages of the site if their lock file has changed since the last run. @throws if npm fails */
export const installSite = (): void => {
  const lock = createHash('sha256')
    .update(readFileSync(join(siteFolder, 'package-lock.json')))
    .digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return;
  console.log(
    'Installing the packages of the documentation site (once, and after updates; this takes about a minute) …',
  );
  const { status } = spawnSync('npm', ['ci', '--loglevel=error', '--no-audit', '--no-fund'], {
    cwd: siteFolder,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  if (status !== 0) throw new Error('npm ci failed; see its output above.');
  writeFileSync(stamp, lock);
};
