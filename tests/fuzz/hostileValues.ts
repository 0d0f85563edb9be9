import type { Random } from '@hearth/testkit/run/seededRandom.ts';

/** Texts that have broken some program before, for paths, queries and headers. */
export const hostileTexts: readonly string[] = [
  '',
  ' ',
  '\0',
  '0',
  '-1',
  '1e309',
  '9'.repeat(30),
  '0x10',
  'NaN',
  'null',
  'undefined',
  'true',
  '%00',
  '%zz',
  '%',
  '%c3%28',
  '%ed%a0%80',
  '%2e%2e%2f',
  '../../../etc/passwd',
  '..;/',
  "' or '1'='1",
  '"; drop table users; --',
  '${jndi:ldap://x}',
  '{{7*7}}',
  '<script>',
  '\u00ff\u00fe',
  '\u202e',
  'x'.repeat(300),
  'x'.repeat(9_000),
  '__proto__',
  'constructor',
  'toString',
  'a[b]',
  'a[]',
  '2022-02-30T00:00:00Z',
  '+292278994-08-17T07:12:55Z',
  'infinity',
  '8f14e45f-ceea-467f-a9b5-3c1e2b7d9a10',
  '00000000-0000-0000-0000-000000000000',
  'FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF',
];

/** Values that JSON can hold and few bodies should. */
const hostileValues: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  2 ** 53,
  1e308,
  [],
  {},
  [[]],
  [null],
  '\0',
  '\ud800',
  '\u2028',
  'a\r\nb',
  '🏖️'.repeat(200),
  'x'.repeat(5_000),
  '{"trash":false}',
  { $ne: null },
  ...hostileTexts,
];

/** JSON text made of a valid body by exchanging, dropping or adding fields, or by damage to its letters. */
export const mutateJson = (random: Random, body: Readonly<Record<string, unknown>>): string => {
  const fields = Object.entries(body).filter(() => random.chance(0.9));
  const changed = fields.map(([key, value]): [string, unknown] => {
    if (random.chance(0.6)) return [key, value];
    if (Array.isArray(value) && random.chance(0.5)) return [key, [...value, random.pick(hostileValues)]];
    return [key, random.pick(hostileValues)];
  });
  if (random.chance(0.2)) changed.push([random.pick(hostileTexts), random.pick(hostileValues)]);
  const whole = random.chance(0.1) ? random.pick(hostileValues) : Object.fromEntries(changed);
  let text = JSON.stringify(whole);
  if (random.chance(0.1)) text = `{"__proto__":${text}}`;
  if (random.chance(0.1)) text = '['.repeat(1 + random.below(20_000)) + text;
  if (random.chance(0.1)) text = text.slice(0, random.below(text.length + 1));
  if (random.chance(0.1)) text = text.replaceAll('"', random.pick(["'", '\\"', '']));
  if (random.chance(0.05)) text = `\ufeff${text}`;
  return text;
};
