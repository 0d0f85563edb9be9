// Runs on any Node from version 20, like prestart.mjs.
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { root } from './install.mjs';

/** Interval of progress lines, in ms. */
const progressMs = 10_000;

/**
 * Returns a function that builds the web app into a given folder with Vite. Vite runs on `node` in a child process, so
 * that its memory is freed afterwards.
 */
export const runVite = (node) => async (folder) => {
  console.log('Building the web app (once, and after updates; this takes about half a minute) …');
  const begin = Date.now();
  const seconds = () => Math.round((Date.now() - begin) / 1_000);
  const directory = join(root, 'services', 'web');
  const vite = join(
    dirname(createRequire(join(directory, 'package.json')).resolve('vite/package.json')),
    'bin/vite.js',
  );
  const child = spawn(node, [vite, 'build', '--outDir', folder, '--emptyOutDir', '--logLevel', 'warn'], {
    cwd: directory,
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32',
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.once(signal, () => {
      child.kill('SIGTERM');
      process.exit(130);
    });
  }
  // Printed only on failure, because warnings concern only developers of the web app.
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  const progress = setInterval(() => console.log(`  … ${seconds()} s`), progressMs);
  const code = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  }).finally(() => clearInterval(progress));
  if (code !== 0) throw new Error(output.trim() || `vite build exited with ${code}`);
  console.log(`Built the web app in ${seconds()} s.`);
};
