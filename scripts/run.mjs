// node scripts/run.mjs PROGRAM [ARGUMENT …]: runs one of our programs on the pinned Node, which it installs first. It
// needs only Node 20 and npm, so that every npm script works on a fresh machine.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { install, root } from './install.mjs';

const node = install();
// Core files are disabled, because they contain memory with secrets. The shell sets the limit and is replaced by the
// program.
const child = spawn('/bin/sh', ['-c', 'ulimit -c 0; exec "$0" "$@"', node, ...process.argv.slice(2)], {
  cwd: root,
  env: {
    // Otherwise glibc keeps freed memory in one arena per thread, which adds 50 MB to the peak of an import.
    MALLOC_ARENA_MAX: '2',
    // The compile cache of Node is shared by all processes. It halves the CPU time of a start, half a second for the
    // API.
    NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/compiled'),
    ...process.env,
  },
  // The channel closes in the child when this process is gone, for whatever reason.
  stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
});
// Ctrl-C in a terminal also reaches the child directly. A second signal is harmless, and necessary for all other
// senders.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill('SIGTERM'));
// npm kills only the shell in between, without a signal to this process. A changed parent reveals this.
const parent = process.ppid;
const watch = setInterval(() => {
  if (process.ppid === parent) return;
  clearInterval(watch);
  child.kill('SIGTERM');
}, 500);
child.on('exit', (code) => process.exit(code ?? 1));
