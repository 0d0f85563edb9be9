import { globSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

// node scripts/messages/check.ts [FOLDER]: finds unused messages of the web app. The type check finds missing ones in
// every language.
const folder = process.argv[2] ?? 'services/web/src';

/** Texts of a namespace, in nested groups. */
interface MessageTree {
  readonly [key: string]: string | MessageTree;
}

/** Matches the plural suffix of a key, as in i18next and `Intl.PluralRules`. */
const pluralEnding = /_(zero|one|two|few|many|other)$/;

/** Returns the keys of all texts, with groups joined by dots and without plural suffixes. */
const listKeys = (tree: MessageTree, prefix = ''): readonly string[] =>
  Object.entries(tree).flatMap(([key, value]) =>
    typeof value === 'string' ? [prefix + key.replace(pluralEnding, '')] : listKeys(value, `${prefix}${key}.`),
  );

/** Quoted keys, without their namespace. */
const literals = new Set<string>();
/** Key prefixes in templates, such as `reasons.` of `reasons.${reason}`, without their namespace. */
const prefixes = new Set<string>();
const sources = globSync(join(folder, '**/*.{ts,tsx}'), { exclude: (path) => path.includes('.test.') });
for (const source of sources.map((path) => readFileSync(path, 'utf8'))) {
  for (const [, , literal] of source.matchAll(/(['"])(?:\w+:)?([\w.-]+)\1/g)) literals.add(literal!);
  for (const [, prefix] of source.matchAll(/`(?:\w+:)?([\w.-]+)\$\{/g)) prefixes.add(prefix!);
}
const isUsed = (key: string): boolean => literals.has(key) || [...prefixes].some((prefix) => key.startsWith(prefix));

for (const path of globSync(join(folder, 'locales/*/*.json')).toSorted()) {
  const unused = new Set(listKeys(JSON.parse(readFileSync(path, 'utf8')) as MessageTree).filter((key) => !isUsed(key)));
  for (const key of unused) console.error(`${relative(folder, path)}: unused key ${key}`);
  if (unused.size > 0) process.exitCode = 1;
}
