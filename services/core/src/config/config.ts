import { readFileSync } from 'node:fs';
import { z } from 'zod';

/** An environment variable. `Value` is the type after parsing. */
export interface Variable<Value> {
  readonly name: `HEARTH_${string}`;
  /** One sentence for `--help` and the docs. */
  readonly description: string;
  /** Parses the text of the variable; its input is undefined if the variable is unset. */
  readonly schema: z.ZodType<Value, string | undefined>;
  /** The default as text for `--help`. A variable without it is required. */
  readonly default?: string;
  /** A secret may also come from the file named by `<NAME>_FILE`. Its value is never shown. */
  readonly secret?: boolean;
}

/** Returns the definition unchanged and infers the type of its value. */
export const variable = <Value>(definition: Variable<Value>): Variable<Value> => definition;

/** Variables by the name they have in code. */
export type ConfigTable = Readonly<Record<string, Variable<unknown>>>;

export type ConfigOf<Table extends ConfigTable> = {
  readonly [Key in keyof Table]: Table[Key] extends Variable<infer Value> ? Value : never;
};

/** The configuration is invalid. The message has one line per problem. */
export class ConfigError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(['Invalid configuration:', ...problems.map((problem) => `  - ${problem}`)].join('\n'));
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

/**
 * Reads all variables of `table` from `env`. An empty value counts as unset.
 * @throws ConfigError with all problems, without the values of secrets
 */
export const readConfig = <Table extends ConfigTable>(table: Table, env: NodeJS.ProcessEnv): ConfigOf<Table> => {
  const problems: string[] = [];
  const entries = Object.entries(table).map(([key, variable]) => {
    try {
      const text = readText(variable, env);
      const parsed = variable.schema.safeParse(text);
      if (parsed.success) return [key, parsed.data];
      const found = text === undefined ? 'not set' : variable.secret ? 'invalid value' : `found "${text}"`;
      problems.push(`${variable.name}: ${parsed.error.issues[0]?.message ?? 'invalid'} (${found})`);
    } catch (error) {
      problems.push((error as Error).message);
    }
    return [key, undefined];
  });
  if (problems.length > 0) throw new ConfigError(problems);
  return Object.fromEntries(entries) as ConfigOf<Table>;
};

/** Formats the table for `--help`. */
export const describeConfig = (table: ConfigTable): string =>
  Object.values(table)
    .map(({ name, description, default: fallback, secret }) => {
      const given = fallback === undefined ? 'must be set' : `default: ${fallback}`;
      return `  ${name}${secret ? `, ${name}_FILE` : ''}\n      ${description} (${given})`;
    })
    .join('\n');

/** Non-empty text. */
export const text = () => z.string({ error: 'expected text' });

/** A switch, `0` or `1`; off by default. */
export const flag = () =>
  z
    .enum(['0', '1'], { error: 'expected 0 or 1' })
    .default('0')
    .transform((value) => value === '1');

/** A TCP port. 0 means any free port or off, depending on the variable. */
export const port = (fallback: number) => wholeNumber(0, 65_535, fallback, 'a port from 0 to 65535');

/** A whole number in an inclusive range. */
export const wholeNumber = <Fallback extends number | undefined>(
  min: number,
  max: number,
  fallback: Fallback,
  what = `a whole number from ${min} to ${max}`,
) =>
  z
    .string()
    .optional()
    .refine((value) => value === undefined || (/^\d{1,16}$/.test(value) && +value >= min && +value <= max), {
      error: `expected ${what}`,
    })
    .transform((value): number | Fallback => (value === undefined ? fallback : Number(value)));

/** A name from the IANA time zone database. */
export const timeZone = (fallback: string) =>
  z
    .string()
    .default(fallback)
    .refine((value) => isTimeZone(value), { error: 'expected a time zone such as Europe/Berlin' });

const readText = (variable: Variable<unknown>, env: NodeJS.ProcessEnv): string | undefined => {
  const direct = env[variable.name] || undefined;
  const file = variable.secret ? env[`${variable.name}_FILE`] || undefined : undefined;
  if (direct !== undefined && file !== undefined) {
    throw new Error(`${variable.name} and ${variable.name}_FILE are both set; set only one`);
  }
  if (file === undefined) return direct;
  try {
    return readFileSync(file, 'utf8').trim() || undefined;
  } catch (error) {
    throw new Error(`${variable.name}_FILE: cannot read that file (${(error as NodeJS.ErrnoException).code})`, {
      cause: error,
    });
  }
};

const isTimeZone = (name: string): boolean => {
  try {
    return Intl.DateTimeFormat('en', { timeZone: name }) !== undefined;
  } catch {
    return false;
  }
};
