import { describeMachine, formatToday } from '@hearth/testkit/figures/publish.ts';

/** Maximum CPU of a lookup, maximum memory of the places data, and minimum of correct states and towns among the 78 test points. */
export const placesBounds = { microseconds: 1_000, megabytes: 80, states: 75, towns: 74 } as const;

interface MeasuredLookups {
  readonly microseconds: number;
  readonly found: number;
}

/** Output of `load-tests/bench/measurePlaces.ts`. */
export interface MeasuredPlaces {
  readonly openMs: number;
  readonly anywhere: MeasuredLookups;
  readonly crowded: MeasuredLookups;
  readonly megabytes: number;
  readonly placesFile: { readonly postcodesOf: readonly string[] };
  readonly accuracy?: {
    readonly points: number;
    readonly country: number;
    readonly state: number;
    readonly town: number;
    readonly postcode: number;
    readonly postcodesKnown: number;
    readonly atSea: readonly string[];
    readonly wrong: readonly string[];
  };
}

/** Renders the figures as Markdown. */
export const placesTable = (measured: MeasuredPlaces, fileMegabytes: number): string => {
  const { openMs, anywhere, crowded, megabytes, placesFile, accuracy } = measured;
  return [
    `${formatToday()}: 100,000 lookups of each kind; ${fileMegabytes.toFixed(1)} MB, postcodes of ${placesFile.postcodesOf.length} countries; ${describeMachine()}.`,
    '',
    '|  | target | measured |',
    '| --- | ---: | ---: |',
    `| CPU of a lookup, anywhere on earth | < 1 ms | ${formatMicroseconds(anywhere.microseconds)} |`,
    `| CPU of a lookup, near a large city | < 1 ms | ${formatMicroseconds(crowded.microseconds)} |`,
    `| memory | < ${placesBounds.megabytes} MB | ${megabytes.toFixed(0)} MB |`,
    `| CPU of opening the places file |  | ${openMs.toFixed(0)} ms |`,
    ...(accuracy === undefined
      ? []
      : [
          `| test points: country | ${formatShare(accuracy.points, accuracy.points)} | ${formatShare(accuracy.country, accuracy.points)} |`,
          `| test points: state | ≥ ${placesBounds.states} | ${formatShare(accuracy.state, accuracy.points)} |`,
          `| test points: town | ≥ ${placesBounds.towns} | ${formatShare(accuracy.town, accuracy.points)} |`,
          `| test points: postcode, where the country's are known |  | ${formatShare(accuracy.postcode, accuracy.postcodesKnown)} |`,
          `| test points at sea with a place | 0 | ${accuracy.atSea.length} |`,
        ]),
  ].join('\n');
};

const formatMicroseconds = (microseconds: number): string => `${microseconds.toFixed(0)} µs`;
const formatShare = (n: number, of: number): string => `${n} of ${of}`;
