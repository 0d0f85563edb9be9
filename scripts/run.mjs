// node scripts/run.mjs PROGRAM [ARGUMENT …]: runs one of our programs on the Node that the project pins, which it installs first.
// Needs nothing but Node 20 and npm, so that every npm script works on a fresh machine.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { install, root } from './install.mjs';

const node = install();
// Without core files: they hold what is in memory, secrets too. A shell sets the limit, and becomes the program.
const child = spawn('/bin/sh', ['-c', 'ulimit -c 0; exec "$0" "$@"', node, ...process.argv.slice(2)], {
  cwd: root,
  env: {
    // glibc otherwise keeps freed memory in an arena for each thread: 50 MB of an import's peak.
    MALLOC_ARENA_MAX: '2',
    // Node keeps what it has compiled, for all processes: each starts in half of the processor's time, half a second less for the API.
    NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/compiled'),
    ...process.env,
  },
  // The channel tells the child when this process is gone, whatever ended it.
  stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
});
// A terminal's Ctrl-C reaches the child by itself; asking it once more to end is harmless, and right for every other sender.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill('SIGTERM'));
// npm ends the shell between it and this process, which then hears nothing; but it has another parent from then on.
const parent = process.ppid;
const watch = setInterval(() => {
  if (process.ppid === parent) return;
  clearInterval(watch);
  child.kill('SIGTERM');
}, 500);
child.on('exit', (code) => process.exit(code ?? 1));
