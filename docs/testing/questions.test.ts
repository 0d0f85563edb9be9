import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { missingTool } from '@hearth/testkit/run/tools.ts';
import type { Page } from 'playwright-core';
import { openSite, type OpenSite } from './openSite.ts';
import { listSections, readPages } from './pages.ts';
import keywords from '../keywords.json' with { type: 'json' };
import questions from './questions.json' with { type: 'json' };

const missing = missingTool('chromium');

/** Milliseconds that a search may take on a busy machine. */
const patienceMs = 60_000;

/** Among how many results of the site's search the page has to be. */
const mostResults = 5;

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

test('what is searched for a question are words of it', () => {
  for (const { question, search } of questions) {
    const words = stemsOf(question);
    for (const word of stemsOf(search)) assert.ok(words.includes(word), `“${word}” of “${question}”`);
    assert.ok(search.split(' ').length <= 7, search);
  }
});

/** The beginnings of the words of a sentence, which "share" and "shared" have in common. */
const stemsOf = (text: string): readonly string[] =>
  (text.toLowerCase().match(/[a-z0-9]+/g) ?? []).map((word) => word.slice(0, 4));

test(
  `the site's own search leads from the main words of each question to its page, among the first ${mostResults} results`,
  { skip: missing },
  async () => {
    const visit = await site!.visit();
    visit.context.setDefaultTimeout(patienceMs);
    await visit.page.goto('/search');
    const far: string[] = [];
    for (const { search, page } of questions) {
      const found = await searchFor(visit.page, search);
      if (!found.slice(0, mostResults).includes(`/docs/${page}`))
        far.push(`${search} → ${page}: ${found.slice(0, 8).join(' ')}`);
    }
    assert.deepEqual(far, [], 'name what people call it in docs/keywords.json');
    await visit.end();
  },
);

let site: OpenSite | undefined;
before(async () => {
  if (missing === false) site = await openSite();
});
after(() => site?.close());

/** The pages that the search finds, the best first. */
const searchFor = async (page: Page, words: string): Promise<readonly string[]> => {
  const box = page.getByRole('main').getByRole('searchbox');
  const answered = page.getByText(/^(?:\d+ documents? found|No documents were found)$/);
  await box.fill('');
  await answered.waitFor({ state: 'detached' });
  await box.fill(words);
  await answered.waitFor();
  return page
    .locator('article h2 a')
    .evaluateAll((links) => links.map((link) => (link as HTMLAnchorElement).pathname.replace(/\/$/, '')));
};

test('every page that docs/keywords.json knows by other words is there', () => {
  for (const [id, phrases] of Object.entries<readonly string[]>(keywords)) {
    assert.ok(pages.has(id), `there is no page ${id}`);
    for (const phrase of phrases) assert.ok(phrase.length > 3, phrase);
  }
});
