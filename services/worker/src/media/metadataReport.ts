import type { Exiftool } from './exiftool.ts';
import { judgedFields, judgeMetadata } from './testing/judgeMetadata.ts';
import { listMetadataFiles, readMetadataOf } from './testing/metadataSet.ts';
import { metadataShortfalls } from './testing/metadataShortfalls.ts';

/** How many of the manifest's values METADATA finds. */
export interface MetadataReport {
  /** For each field how many agree, then each disagreement with its reason. */
  readonly lines: readonly string[];
  /** Disagreements that are not known, and known ones that are none any more. */
  readonly surprises: number;
}

/** Compares what METADATA finds in all test media, also those that cannot be shown, with the manifest, value by value. */
export async function reportMetadata(exiftool: Exiftool): Promise<MetadataReport> {
  const files = await readMetadataOf(exiftool, listMetadataFiles());
  const judged = files.flatMap(({ name, expected, found }) =>
    judgeMetadata(expected, found).map((value) => ({ value, key: `${name}: ${value.field}` })),
  );
  const disagreements = judged.filter(({ value }) => !value.agrees);
  const count = (values: typeof judged): string =>
    `${values.filter(({ value }) => value.agrees).length} of ${values.length}`;
  const known = Object.keys(metadataShortfalls);
  const unknown = disagreements.filter(({ key }) => !known.includes(key));
  const mended = known.filter((key) => !disagreements.some((each) => each.key === key));
  return {
    lines: [
      ...judgedFields.map(
        (field) => `${field.padEnd(20)} ${count(judged.filter(({ value }) => value.field === field))}`,
      ),
      `${'all'.padEnd(20)} ${count(judged)}`,
      ...disagreements.map(
        ({ key, value: { found, expected } }) =>
          `${key} is ${found}, expected ${expected}. ${metadataShortfalls[key] ?? 'NOT KNOWN'}`,
      ),
      ...mended.map((key) => `${key} agrees and is called a shortfall.`),
    ],
    surprises: unknown.length + mended.length,
  };
}
