import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findMessageProblems, findUses, keysOf } from './messageProblems.ts';

test('the forms of a plural are one key, and groups are told by dots', () => {
  assert.deepEqual(keysOf({ title: 'x', files_one: 'x', files_other: 'x', menu: { open: 'x' } }), [
    'title',
    'files',
    'menu.open',
  ]);
});

test('a message counts as used by its key, by the beginning of one that is put together, and as the key of a Trans', () => {
  const uses = findUses([
    `t('title'); t("menu.open"); t(\`reasons.\${reason}\`); t('common:close');`,
    `<Trans i18nKey="rich" />`,
  ]);
  const english = { title: '', menu: { open: '' }, reasons: { a: '' }, close: '', rich: '' };
  assert.deepEqual(findMessageProblems({ en: { all: english } }, uses), []);
});

test('what nothing uses, what a language lacks and what only a language has are told', () => {
  const uses = findUses([`t('title')`]);
  assert.deepEqual(
    findMessageProblems({ en: { app: { title: '', old: '' } }, de: { app: { old: '', fremd: '' } } }, uses),
    ['app: nothing uses old', 'app: de lacks title', 'app: only de has fremd'],
  );
});
