import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { installSite } from './site/installSite.ts';

/** What `npm run check` asks, each by the tool that `node_modules` holds. */
const checks = [
  { name: 'types', command: ['tsc'] },
  { name: 'types of the web app', command: ['tsc', '-p', 'services/web'] },
  { name: 'types of the web app in a browser', command: ['tsc', '-p', 'services/web/e2e'] },
  { name: 'types of the measurements in a browser', command: ['tsc', '-p', 'load-tests/web'] },
  { name: 'types of the loads in k6', command: ['tsc', '-p', 'load-tests/k6/scripts'] },
  { name: 'types of the documentation site', command: ['tsc', '-p', 'docs'] },
  { name: 'types of the tests of the site', command: ['tsc', '-p', 'docs/testing'] },
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
      'docs',
      'charts',
      'oxlint.config.ts',
    ],
  },
  { name: 'messages of the web app', command: ['node', 'scripts/messages/check.ts'] },
  { name: 'format', command: ['oxfmt', '--check'] },
  { name: 'unused code', command: ['knip', '--no-config-hints'] },
];

// The types of the site need its packages.
installSite();

const failed = checks.filter(({ name, command: [tool = '', ...args] }) => {
  console.log(`Checking ${name} …`);
  return (
    spawnSync(join('node_modules', '.bin', tool), args, { stdio: 'inherit', shell: process.platform === 'win32' })
      .status !== 0
  );
});
if (failed.length > 0) {
  console.error(`Failed: ${failed.map(({ name }) => name).join(', ')}`);
  process.exitCode = 1;
}
