import { findExcess, sumCosts } from '@hearth/testkit/figures/cost.ts';
import type { Import } from './importMedia.ts';
import { compareMedia, getOutcome, type ComparedValue } from './compareMedia.ts';
import type { MediaFile } from './manifest.ts';

const noPostcodes = 'The place map of the tests has postcodes of 22 other countries.';

/** Known differences from the manifest by `file: field`, with their reasons. */
const knownFaults: Readonly<Record<string, string>> = {
  'places/Ceuta.jpg: postcode': noPostcodes,
  'places/Slubice.jpg: postcode': noPostcodes,
  'places/Taj_Mahal.jpg: postcode': noPostcodes,
};

/** Bounds for the import of all test media. */
export const bounds = { valuesShare: 0.98, cpuSecondsOfTooLarge: 0.1 } as const;

/** Results of an import. */
export interface Report {
  readonly files: number;
  /** Number of files with the outcome of the manifest. */
  readonly outcomes: number;
  readonly values: number;
  readonly agreeing: number;
  readonly peakMegabytes: number;
  /** Messages for unknown differences, known ones that no longer occur, and processes that died. */
  readonly faults: readonly string[];
  /** Messages for exceeded memory and CPU bounds. */
  readonly missed: readonly string[];
}

/** Compares an import with the manifest. @param deaths a line for each process that died */
export const evaluateImport = (imported: Import, deaths: readonly string[]): Report & { readonly table: string } => {
  const compared = imported.files.map(({ file, uploaded }) => ({
    file,
    uploaded,
    values: compareMedia(file.expected, uploaded),
  }));
  const all = compared.flatMap(({ file, values }) =>
    values.map((value) => ({ key: `${file.name}: ${value.field}`, value })),
  );
  const others = all.filter(({ value }) => value.field !== 'outcome');
  const agreeing = others.filter(({ value }) => value.agrees).length;
  const outcomes = all.filter(({ value }) => value.field === 'outcome' && value.agrees).length;
  const wrong = all.filter(({ value }) => !value.agrees);
  const peakMegabytes = sumCosts(imported.peakMegabytesByKind);
  const faults = [
    ...wrong.filter(({ key }) => !(key in knownFaults)).map(({ key, value }) => toSentence(key, value)),
    ...Object.keys(knownFaults)
      .filter((key) => !wrong.some((each) => each.key === key))
      .map((key) => `${key} is listed as a shortfall but passes`),
    ...deaths,
  ];
  if (agreeing < bounds.valuesShare * others.length) faults.push('fewer values match than required');
  const missed = [...imported.isolatedCpuSeconds]
    .filter(([, seconds]) => seconds > bounds.cpuSecondsOfTooLarge)
    .map(([name, seconds]) => `${name} took ${seconds.toFixed(2)} s of CPU, limit: ${bounds.cpuSecondsOfTooLarge} s`);
  missed.push(...findExcess(imported.peakMegabytesByKind));
  const figures = { files: compared.length, outcomes, values: others.length, agreeing, peakMegabytes, faults, missed };
  const lines = [
    `${outcomes} of ${compared.length} files have the expected outcome; ${agreeing} of ${others.length} other values match ` +
      `(${((100 * agreeing) / others.length).toFixed(2)} %). Peak memory of all processes: ${peakMegabytes.toFixed(0)} MB (` +
      `${Object.entries(imported.peakMegabytesByKind)
        .map(([kind, megabytes]) => `${kind} ${megabytes.toFixed(0)}`)
        .join(', ')}).`,
    '',
    ...[...imported.isolatedCpuSeconds].map(
      ([name, seconds]) =>
        `\`${name}\`, above the pixel limit, took ${(1_000 * seconds).toFixed(0)} ms of CPU in total.`,
    ),
    '',
    ...(wrong.length > 0 ? ['## Differences', ''] : []),
    ...wrong.map(
      ({ key, value }) => `- ${toSentence(`\`${key}\``, value)}. ${knownFaults[key] ?? 'Unknown difference.'}`,
    ),
    '',
    '## Files that are not shown',
    '',
    ...compared.filter(({ uploaded }) => getOutcome(uploaded) !== 'READY').map(formatEntry),
  ];
  return { ...figures, table: lines.join('\n') };
};

const toSentence = (key: string, { found, expected }: ComparedValue): string =>
  `${key} is ${found}, expected ${expected}`;

interface ComparedFile {
  readonly file: MediaFile;
  readonly uploaded: Import['files'][number]['uploaded'];
  readonly values: readonly ComparedValue[];
}

/** Renders a list entry for a file without pictures. */
const formatEntry = ({ file, uploaded }: ComparedFile): string => {
  const item = uploaded.shown?.item;
  const reason = item?.processing.find(({ state }) => state === 'FAILED')?.reason;
  const outcome = item === undefined ? 'refused' : `kept${reason === undefined ? '' : `, \`${reason}\``}`;
  return `- \`${file.name}\`: ${outcome}`;
};

/** Returns the label of a file on the contact sheet, with the outcome unless it is READY. */
export const getLabel = ({ file, uploaded }: Import['files'][number]): string =>
  getOutcome(uploaded) === 'READY' ? file.name : `${file.name} (${getOutcome(uploaded).toLowerCase()})`;
