import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { listCommands, readPages } from '@hearth/testkit/run/guidePages.ts';

const checkout = join(import.meta.dirname, '../..');

/*
 * Attributes of command blocks, after the language:
 *
 *   test=embedded          commands.slow.test.ts runs it on a running installation; test=stopped on a stopped one, and test=sign-in before each page
 *   test=cluster           tests/cluster/guide runs it on a cluster
 *   shows="some text"      its output contains the text
 *   goes-on="some text"    it keeps running; the reader continues in a second terminal once it has printed the text
 *   tested-by=some/path    another test covers it
 *   not-run="a reason"     no test runs it, for this reason
 */
test('every command block of the user guide names its test, or why it has none', () => {
  for (const { id, text } of readPages('user-guide'))
    for (const { attributes, code } of listCommands(text)) {
      const named = ['test', 'tested-by', 'not-run'].filter((name) => typeof attributes[name] === 'string');
      assert.equal(named.length, 1, `${id}: one of test=, tested-by= and not-run= for\n${code}`);
      const { test: runner, 'tested-by': path } = attributes;
      if (runner !== undefined) assert.match(String(runner), /^(?:embedded|stopped|sign-in|cluster)$/, id);
      if (attributes['goes-on'] !== undefined) assert.equal(runner, 'cluster', id);
      if (path !== undefined) assert.ok(existsSync(join(checkout, String(path))), `${id}: ${String(path)}`);
    }
});
