import { globSync, readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { findMessageProblems, findUses, type MessageTree } from './messageProblems.ts';

// What `npm run check` asks of the web app's messages: every language is complete, and nothing is kept that nothing uses.
const languages: Record<string, Record<string, MessageTree>> = {};
for (const file of globSync('services/web/src/locales/*/*.json')) {
  const language = (languages[basename(dirname(file))] ??= {});
  language[basename(file, '.json')] = JSON.parse(readFileSync(file, 'utf8')) as MessageTree;
}
const sources = globSync('services/web/src/**/*.{ts,tsx}', { exclude: (path) => path.includes('.test.') }).map((file) =>
  readFileSync(file, 'utf8'),
);
const problems = findMessageProblems(languages, findUses(sources));
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
