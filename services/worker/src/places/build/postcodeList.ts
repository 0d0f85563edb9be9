import { strFromU8, unzipSync } from 'fflate';

/** A postcode and its position. */
export interface PostcodeEntry {
  readonly postcode: string;
  readonly latitude: number;
  readonly longitude: number;
}

/** A row of the JSON file in a country's archive. */
interface Row {
  readonly zipcode: string;
  readonly latitude: string;
  readonly longitude: string;
}

/** Maximum unpacked size of a country's list: four times the size of the largest, Portugal's. */
const maxUnpackedBytes = 120_000_000;

/** Reads a country's archive. Keeps the first postcode at each position. Skips postcodes of single large recipients (CEDEX). */
export const readPostcodeList = (archive: Uint8Array): PostcodeEntry[] => {
  const files = unzipSync(archive, {
    filter: ({ name, originalSize }) => name.endsWith('.json') && originalSize <= maxUnpackedBytes,
  });
  const [content] = Object.values(files);
  if (content === undefined) throw new Error('no postcode list in the archive');
  const entries = new Map<string, PostcodeEntry>();
  for (const { zipcode, latitude, longitude } of JSON.parse(strFromU8(content)) as readonly Row[]) {
    if (latitude === '' || longitude === '' || / CEDEX/.test(zipcode)) continue;
    const position = `${latitude} ${longitude}`;
    const entry = { postcode: zipcode, latitude: Number(latitude), longitude: Number(longitude) };
    if (!entries.has(position)) entries.set(position, entry);
  }
  return [...entries.values()];
};
