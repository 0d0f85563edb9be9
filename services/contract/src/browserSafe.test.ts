import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

const sources = readdirSync(import.meta.dirname).filter((name) => !name.endsWith('.test.ts'));

test('depends only on zod, and on zod-openapi for the document', () => {
  for (const name of sources) {
    const text = readFileSync(`${import.meta.dirname}/${name}`, 'utf8');
    const imported = [...text.matchAll(/\bfrom '([^.'][^']*)'/g)].map(([, specifier]) => specifier);
    const allowed = name === 'openapi.ts' ? ['zod', 'zod-openapi'] : ['zod'];
    assert.deepEqual(
      imported.filter((specifier) => !allowed.includes(String(specifier))),
      [],
      name,
    );
    assert.doesNotMatch(text, /\b(?:process|Buffer|require)\b[.(]/, name);
  }
});
