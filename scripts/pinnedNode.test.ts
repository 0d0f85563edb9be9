import assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { findNodeProgram, pinnedNode, explainMismatch } from './pinnedNode.mjs';

const root = join(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'hearth-node-'));
after(() => rmSync(folder, { recursive: true }));

test('the installed Node is the pinned one, with the version of package.json', () => {
  const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  assert.equal(pinnedNode.version, devDependencies.node);
  assert.equal(explainMismatch(findNodeProgram(root)!), undefined);
});

test('rejects a Node with one changed byte, and reports both checksums', () => {
  const copy = join(folder, 'node');
  copyFileSync(process.execPath, copy);
  writeSync(openSync(copy, 'r+'), '!', 1_000_000);
  assert.match(
    explainMismatch(copy, 'linux-x64')!,
    /is not the pinned Node\.js .* its SHA-256 is [0-9a-f]{64}, expected 7fde7b8a/,
  );
});

test('finds no program in a folder without Node', () => {
  assert.equal(findNodeProgram(folder), undefined);
});
