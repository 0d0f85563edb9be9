import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listSections, readPages } from './pages.ts';
import questions from './questions.json' with { type: 'json' };

const pages = new Map([...readPages('user-guide'), ...readPages('dev-guide')].map(({ id, text }) => [id, text]));

test('there are twenty questions of users and ten of developers, none twice', () => {
  assert.equal(new Set(questions.map(({ question }) => question)).size, questions.length);
  assert.ok(questions.filter((each) => each.of === 'user').length >= 20);
  assert.ok(questions.filter((each) => each.of === 'developer').length >= 10);
});

for (const { question, page, anchor, words } of questions)
  test(`${question} → ${page}#${anchor}`, () => {
    const text = pages.get(page);
    assert.ok(text !== undefined, `there is no page ${page}`);
    const section = listSections(text).find((each) => each.anchor === anchor);
    assert.ok(section !== undefined, `${page} has no section ${anchor}`);
    assert.ok(words.length > 0);
    const answer = section.text.replaceAll(/\s+/g, ' ').toLowerCase();
    for (const word of words) assert.ok(answer.includes(word.toLowerCase()), `“${word}” in the section`);
  });
