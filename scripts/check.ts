import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { installSite } from './site/installSite.ts';

/** Checks of `npm run check`, each with a tool of `node_modules`. */
const checks = [
  { name: 'types', command: ['tsc'] },
  { name: 'types of the web app', command: ['tsc', '-p', 'services/web'] },
  { name: 'types of the browser tests', command: ['tsc', '-p', 'services/web/e2e'] },
  { name: 'types of the browser benchmarks', command: ['tsc', '-p', 'load-tests/web'] },
  { name: 'types of the k6 scripts', command: ['tsc', '-p', 'load-tests/k6/scripts'] },
  { name: 'types of the documentation site', command: ['tsc', '-p', 'docs'] },
  { name: 'types of the tests of the documentation site', command: ['tsc', '-p', 'docs/testing'] },
  {
    name: 'lint and import borders',
    command: [
      'oxlint',
      '--type-aware',
      '--deny-warnings',
      'services',
      'operators',
      'scripts',
      'load-tests',
      'tests',
      'docs',
      'charts',
      'oxlint.config.ts',
    ],
  },
  { name: 'messages of the web app', command: ['node', 'scripts/messages/check.ts'] },
  { name: 'released migrations', command: ['node', 'scripts/migrations/check.ts'] },
  { name: 'format', command: ['oxfmt', '--check'] },
  { name: 'unused code', command: ['knip', '--no-config-hints'] },
];

// Type checking the site needs its packages.
installSite();

const runCheck = async ({ name, command: [tool = '', ...args] }: (typeof checks)[number]): Promise<boolean> => {
  const child = spawn(join('node_modules', '.bin', tool), args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32',
  });
  const [[status], ...output] = await Promise.all([once(child, 'exit'), text(child.stdout), text(child.stderr)]);
  console.log(`Checked ${name}`);
  process.stdout.write(output.join(''));
  return status === 0;
};

const failed: string[] = [];
const waiting = [...checks];
/** Runs queued checks one after another. The output of a check is printed when it ends. */
const runChecks = async (): Promise<void> => {
  for (let check = waiting.shift(); check !== undefined; check = waiting.shift())
    if (!(await runCheck(check))) failed.push(check.name);
};
await Promise.all(Array.from({ length: availableParallelism() }, runChecks));
if (failed.length > 0) {
  console.error(`Failed: ${failed.join(', ')}`);
  process.exitCode = 1;
}
