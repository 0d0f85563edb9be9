import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { test } from 'node:test';

test('the rooms of the database import one another in one direction', () => {
  const imports = new Map<string, Set<string>>();
  for (const file of globSync(join(import.meta.dirname, '*', '*.ts'))) {
    if (file.endsWith('.test.ts')) continue;
    const [room, text] = [basename(dirname(file)), readFileSync(file, 'utf8')];
    const imported = Array.from(text.matchAll(/from '\.\.\/(\w+)\//g), ([, other = '']) => other);
    imports.set(room, new Set([...(imports.get(room) ?? []), ...imported]));
  }
  assert.ok(imports.get('uploads')?.has('connection'));
  // Rooms are taken away that import none of those that are left: in a circle each imports another one.
  let left = [...imports.keys()];
  for (let before = Infinity; left.length < before;) {
    before = left.length;
    const others = left;
    left = others.filter((room) => others.some((other) => imports.get(room)?.has(other)));
  }
  assert.deepEqual(left, []);
});
