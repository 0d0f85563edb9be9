/** Messages of one namespace of one language, as their file has them: texts, or groups of texts. */
export interface MessageTree {
  readonly [key: string]: string | MessageTree;
}

/** The endings of a message that depends on a number, as i18next and `Intl.PluralRules` name them. */
const pluralEnding = /_(zero|one|two|few|many|other)$/;

/** The keys of all texts, groups and keys joined by dots; the forms of one plural are one key. */
export const keysOf = (tree: MessageTree, prefix = ''): readonly string[] => [
  ...new Set(
    Object.entries(tree).flatMap(([key, value]) =>
      typeof value === 'string' ? [prefix + key.replace(pluralEnding, '')] : keysOf(value, `${prefix}${key}.`),
    ),
  ),
];

/** What can be told of where messages are used from the app's source text. */
interface Uses {
  /** Every literal that may be a key. */
  readonly literals: ReadonlySet<string>;
  /** What a key that is put together begins with: `reasons.` of `reasons.${reason}`. */
  readonly prefixes: readonly string[];
}

/** Reads the uses of messages out of source files: every text in quotes, and the beginning of every template that is longer than nothing. */
export const findUses = (sources: readonly string[]): Uses => {
  const literals = new Set<string>();
  const prefixes = new Set<string>();
  for (const source of sources) {
    for (const [, , literal = ''] of source.matchAll(/(['"])([\w.:-]+)\1/g))
      literals.add(literal.split(':').at(-1) ?? '');
    for (const [, prefix = ''] of source.matchAll(/`([\w.:-]+)\$\{/g)) prefixes.add(prefix.split(':').at(-1) ?? '');
  }
  return { literals, prefixes: [...prefixes] };
};

/**
 * What is wrong with the messages of all languages, a line each: a message that one language lacks, one that only another language has, and one that
 * nothing uses. That an English message is there for every use is the type check's to say.
 */
export const findMessageProblems = (
  languages: Readonly<Record<string, Readonly<Record<string, MessageTree>>>>,
  uses: Uses,
): readonly string[] => {
  const { en = {}, ...others } = languages;
  const problems: string[] = [];
  for (const [namespace, english] of Object.entries(en)) {
    const keys = keysOf(english);
    const tell = (found: readonly string[], problem: string): void => {
      problems.push(...found.map((key) => `${namespace}: ${problem} ${key}`));
    };
    tell(
      keys.filter((key) => !isUsed(uses, key)),
      'nothing uses',
    );
    for (const [language, trees] of Object.entries(others)) {
      const translated = keysOf(trees[namespace] ?? {});
      tell(
        keys.filter((key) => !translated.includes(key)),
        `${language} lacks`,
      );
      tell(
        translated.filter((key) => !keys.includes(key)),
        `only ${language} has`,
      );
    }
  }
  return problems;
};

function isUsed({ literals, prefixes }: Uses, key: string): boolean {
  return literals.has(key) || prefixes.some((prefix) => key.startsWith(prefix));
}
