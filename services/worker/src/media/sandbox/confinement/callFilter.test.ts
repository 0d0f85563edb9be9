import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { missingTool } from '@hearth/testkit/run/tools.ts';
import { makeCallFilter } from './callFilter.ts';

const folder = await mkdtemp(join(tmpdir(), 'hearth-call-filter-'));
after(() => rm(folder, { recursive: true }));

const [ownPath, filter] = [join(folder, 'own'), join(folder, 'filter')];
await writeFile(ownPath, 'x');

const program = `
const fs = require('node:fs');
const { uid, gid } = fs.statSync(${JSON.stringify(ownPath)});
const acts = {
  write: (path) => fs.writeFileSync(path, 'y'),
  mode: (path) => fs.chmodSync(path, 0o600),
  'mode by descriptor': (path) => fs.fchmodSync(fs.openSync(path), 0o600),
  owner: (path) => fs.chownSync(path, uid, gid),
  'owner of a link': (path) => fs.lchownSync(path, uid, gid),
  times: (path) => fs.utimesSync(path, 1, 1),
  folder: (path) => fs.mkdirSync(path + Math.random()),
  'symbolic link': (path) => fs.symlinkSync('/', path + Math.random()),
  link: (path) => fs.linkSync(path, path + Math.random()),
  process: () => { const { error } = require('node:child_process').spawnSync(process.execPath, ['-v'], { stdio: 'ignore' }); if (error) throw error; },
  thread: () => new (require('node:worker_threads').Worker)('', { eval: true }),
};
const can = (act) => { try { act(${JSON.stringify(ownPath)}); return true; } catch { return false; } };
console.log(JSON.stringify(Object.keys(acts).filter((name) => can(acts[name]))));
const socket = require('node:net').connect({ host: '127.0.0.1', port: 9 });
socket.on('error', ({ code }) => console.log(JSON.stringify(code)));
`;

/** Returns the attempts that succeed with this filter. Landlock alone would prevent only the write. */
async function runAttack(code: Buffer | undefined): Promise<unknown[]> {
  if (code !== undefined) await writeFile(filter, code);
  const seccomp = code === undefined ? '' : `--seccomp 9 9<"$2"`;
  const command = `exec bwrap --dev-bind / / ${seccomp} -- "$0" -e "$1"`;
  const { stdout } = await promisify(execFile)('/bin/sh', ['-c', command, process.execPath, program, filter]);
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);
}

test(
  'denies sockets, processes, and changes of modes, owners and times, which Landlock does not cover',
  { skip: missingTool('bwrap') },
  async () => {
    const all = ['write', 'mode', 'mode by descriptor', 'owner', 'owner of a link', 'times'];
    all.push('folder', 'symbolic link', 'link', 'process', 'thread');
    assert.deepEqual(await runAttack(undefined), [all, 'ECONNREFUSED'], 'all succeed without a filter');
    assert.deepEqual(await runAttack(makeCallFilter(process.arch)), [['write', 'thread'], 'EPERM']);
  },
);
