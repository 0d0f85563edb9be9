import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';

// npm run dev: starts Hearth like `npm start`, and the web app in Vite, which prints the address to open. Saving a file
// of the API or the worker restarts both; files of the web app are replaced in the browser. With HEARTH_API_URL only
// Vite is started, for the Hearth at that address.

const { HEARTH_API_URL: apiUrl, HEARTH_PORT: port = '5001', ...env } = process.env;
const watched = [
  ...['api', 'contract', 'core', 'inference', 'worker'].map((name) => `services/${name}/src`),
  'services/core/migrations',
].map((path) => `--watch-path=${path}`);
const start = (args: readonly string[], more: NodeJS.ProcessEnv): ChildProcess =>
  spawn(process.execPath, args, { stdio: 'inherit', env: { ...env, ...more } });

const children = [
  start(['node_modules/vite/bin/vite.js', 'services/web'], { HEARTH_API_URL: apiUrl ?? `http://127.0.0.1:${port}` }),
];
if (apiUrl === undefined)
  children.push(
    start([...watched, '--watch-preserve-output', 'services/api/src/embedded/main.ts'], { HEARTH_PORT: port }),
  );

const stop = (): void => children.forEach((child) => child.kill('SIGTERM'));
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
// Each process is useless without the other.
await Promise.race(children.map((child) => once(child, 'exit')));
stop();
