import { DecodeError } from '@hearth/worker/media/errors/decodeError.ts';
import type { PhotoFindings } from './examinePhoto.ts';
import type { ExpectedPhoto } from './mediaSet.ts';

/**
 * Returns a sentence for each difference from the manifest, with the tolerances of its `expectedLegend`. A capture time
 * from the file name counts only if the manifest lists it.
 */
export function comparePhoto(expected: ExpectedPhoto, findings: PhotoFindings): string[] {
  const { metadata, rendering, profileName, thumbnailDistance } = findings;
  const differences: string[] = [];
  const compare = (field: keyof ExpectedPhoto, found: unknown, expectedValue: unknown, agrees = Object.is): void => {
    if (expected.uncertain?.includes(field) || agrees(found ?? undefined, expectedValue ?? undefined)) return;
    differences.push(`${field} is ${String(found)}, expected ${String(expectedValue)}`);
  };

  const failed = rendering instanceof DecodeError;
  const outcome = failed ? 'FAILED' : 'READY';
  if (!expected.outcomeAccepts?.includes(outcome)) compare('outcome', outcome, expected.outcome);
  if (failed || expected.outcome === 'FAILED') {
    if (failed && ['TOO_LARGE', 'UNSUPPORTED'].includes(expected.reason ?? '')) {
      compare('reason', rendering.code, expected.reason);
    }
    return differences;
  }

  compare('width', rendering.width, expected.width);
  compare('height', rendering.height, expected.height);
  compare('hasAlpha', rendering.hasAlpha, expected.hasAlpha);
  compare('animated', rendering.isAnimated, expected.animated);
  // A preview in a RAW file may have its own profile.
  if (rendering.format !== 'raw' && !rendering.isAnimated) compare('iccProfile', profileName, expected.iccProfile);
  compare('damaged', rendering.warnings.includes('DAMAGED') || undefined, expected.damaged);
  if (
    Math.max(rendering.thumbnail.width, rendering.thumbnail.height) !==
    Math.min(320, Math.max(rendering.width, rendering.height))
  ) {
    differences.push(`the thumbnail size is ${rendering.thumbnail.width}×${rendering.thumbnail.height}`);
  }
  if ((thumbnailDistance ?? 0) > 8) differences.push(`the thumbnail differs by ${thumbnailDistance} bits of 64`);
  // For some formats only the decoder knows the size.
  if (metadata.width !== undefined) compare('width', metadata.width, expected.width);
  if (metadata.height !== undefined) compare('height', metadata.height, expected.height);
  compare('orientation', metadata.orientation, expected.orientation);
  compare('cameraMake', metadata.cameraMake, expected.cameraMake);
  compare('cameraModel', metadata.cameraModel, expected.cameraModel);
  for (const field of ['focalLength', 'apertureFNumber', 'exposureTime', 'isoEquivalent'] as const) {
    compare(
      field,
      metadata[field],
      expected[field],
      within((expectedValue) => Math.abs(expectedValue) * 0.01),
    );
  }
  compare(
    'latitude',
    metadata.position?.latitude,
    expected.latitude,
    within(() => 0.0001),
  );
  compare(
    'longitude',
    metadata.position?.longitude,
    expected.longitude,
    within(() => 0.0001),
  );

  const time = metadata.captureTime;
  const expectedTime = expected.captureTimeFromName ?? expected.captureTime;
  compare('captureTime', time?.localTime.slice(0, 19), expectedTime?.slice(0, 19));
  if (expected.captureTimeUtc) {
    compare('captureTimeUtc', time?.takenAt.toISOString().slice(0, 19), expected.captureTimeUtc.slice(0, 19));
  }
  if (expected.utcOffset) compare('utcOffset', formatOffset(time?.utcOffsetMinutes), expected.utcOffset);
  return differences;
}

/** Formats `-90` as `-01:30`, like the API. */
export function formatOffset(minutes: number | undefined): string | undefined {
  if (minutes === undefined) return undefined;
  const [hours, rest] = [Math.abs(minutes) / 60, Math.abs(minutes) % 60].map((part) => `${Math.trunc(part)}`);
  return `${minutes < 0 ? '-' : '+'}${hours!.padStart(2, '0')}:${rest!.padStart(2, '0')}`;
}

function within(tolerance: (expectedValue: number) => number): (found: unknown, expectedValue: unknown) => boolean {
  return (found, expectedValue) => {
    if (typeof found !== 'number' || typeof expectedValue !== 'number') return found === expectedValue;
    return Math.abs(found - expectedValue) <= tolerance(expectedValue);
  };
}
