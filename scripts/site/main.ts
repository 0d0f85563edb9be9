import { spawn } from 'node:child_process';
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { builtSite } from './builtSite.ts';
import { siteFolder } from './installSite.ts';

/*
 * npm run docs:build: builds the documentation site into docs/build.
 * npm run docs [-- --port 3000 --api http://127.0.0.1:5001]: builds it if something has changed, and serves it on this
 * machine. With `--api`, the API reference sends requests to that Hearth.
 */
const { values } = parseArgs({
  options: {
    serve: { type: 'boolean', default: false },
    port: { type: 'string', default: '3000' },
    api: { type: 'string' },
  },
});
const { folder, output } = await builtSite();
if (values.serve) {
  spawn(process.execPath, [join(siteFolder, 'server/main.ts')], {
    stdio: 'inherit',
    env: {
      ...process.env,
      HEARTH_SITE_DIR: folder,
      HEARTH_PORT: values.port,
      ...(values.api && { HEARTH_API_URL: values.api }),
    },
  });
} else {
  const target = join(siteFolder, 'build');
  rmSync(target, { recursive: true, force: true });
  cpSync(folder, target, { recursive: true });
  console.log(`${output.trim()}\n\nBuilt into docs/build`);
}
