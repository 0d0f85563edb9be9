import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

test('reports messages that no literal key, template prefix or Trans uses', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'hearth-messages-'));
  t.after(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'locales/de'), { recursive: true });
  const used = {
    title: '',
    menu: { open: '' },
    reasons: { a: '' },
    files_one: '',
    files_other: '',
    close: '',
    rich: '',
  };
  const german = { ...used, old: '', menu: { open: '', gone_one: '', gone_other: '' } };
  writeFileSync(join(folder, 'locales/de/app.json'), JSON.stringify(german));
  const source =
    "t('title'); t(\"menu.open\"); t('files'); t(`reasons.${reason}`); t('common:close'); <Trans i18nKey=\"rich\" />";
  writeFileSync(join(folder, 'page.tsx'), source);
  const { status, stderr } = spawnSync(process.execPath, [join(import.meta.dirname, 'check.ts'), folder], {
    encoding: 'utf8',
  });
  assert.equal(stderr, 'locales/de/app.json: unused key menu.gone\nlocales/de/app.json: unused key old\n');
  assert.equal(status, 1);
});
