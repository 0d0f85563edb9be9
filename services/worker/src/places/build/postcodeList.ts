import { strFromU8, unzipSync } from 'fflate';

/** A postcode and where it is. */
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

/** Bytes that the list of one country may have once unpacked: four times what the largest, Portugal with 4 MB packed, should have. */
const maxUnpackedBytes = 120_000_000;

/** Reads a country's archive. Of several postcodes at one position the first is kept. Postcodes of single large recipients are left out. */
export const readPostcodeList = (archive: Uint8Array): PostcodeEntry[] => {
  const files = unzipSync(archive, {
    filter: ({ name, originalSize }) => name.endsWith('.json') && originalSize <= maxUnpackedBytes,
  });
  const [content] = Object.values(files);
  if (content === undefined) throw new Error('there is no list of postcodes in it');
  const entries = new Map<string, PostcodeEntry>();
  for (const { zipcode, latitude, longitude } of JSON.parse(strFromU8(content)) as readonly Row[]) {
    if (latitude === '' || longitude === '' || / CEDEX/.test(zipcode)) continue;
    const position = `${latitude} ${longitude}`;
    const entry = { postcode: zipcode, latitude: Number(latitude), longitude: Number(longitude) };
    if (!entries.has(position)) entries.set(position, entry);
  }
  return [...entries.values()];
};
