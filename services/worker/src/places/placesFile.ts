import { createHash } from 'node:crypto';

/*
 * [Note: Places file] One file holds all data for lookups: `npm run places` builds it, and a worker reads it into memory. Numbers are little-endian.
 *
 *    0   8 bytes    magic, "HPLACES\n"
 *    8   u32        version of the format
 *   12   u32        number of sections
 *   16   32 bytes   SHA-256 of everything else, in the order of the file
 *   48   per section: 24 bytes name, padded with zeros; u32 offset in the file; u32 length in bytes
 *        the sections, each at a multiple of 8, with zeros in between
 *
 * The sections are described in docs/docs/dev-guide/metadata.md. "Number" there means an index into another section.
 */

/** Version of the format. Increase it when older files can no longer be read, or change their meaning. */
export const placesFileVersion = 1;

/** All sections, in the order of the file. */
export const sectionNames = [
  'about', // JSON: sources of the data, see `About`
  'strings', // u32 count n; u32 × (n + 1): start of each string; their UTF-8 text. Number 0 is the empty string
  'countries', // per country u32 × 2: strings of its ISO 3166-1 code and its English name
  'areas', // per area u16: number of its country, or `landArea`
  'outline', // per corner i32 × 2: longitude and latitude in millionths of a degree
  'outlineAreas', // per corner u16: area bounded by the edge to the next corner; `noArea` after a ring's last edge
  'bands', // u32 × (bandCount + 1): start of the edges of each band of latitude in `bandEdges`
  'bandEdges', // u32: start corner of an edge that touches the band
  'townNames', // per town u32: string
  'townStates', // per town u32: string; 0 for none
  'townCities', // per town u32: string of the city that it is or lies in; 0 for none
  'townCountries', // per town u16: number of its country
  'townWeights', // per town f32
  'townIndex', // KDBush, float32: longitude and latitude of the towns
  'postcodes', // per postcode u32: string
  'postcodeCountries', // per postcode u16: number of its country
  'postcodeIndex', // KDBush, float32
] as const;
export type SectionName = (typeof sectionNames)[number];

/** Bytes of each section. */
export type Sections = Readonly<Record<SectionName, Uint8Array>>;

/** A source of data, with the attribution that its licence requires. */
export interface Source {
  readonly name: string;
  readonly version: string;
  readonly licence: string;
  readonly url: string;
}

/** Metadata of a places file. */
export interface About {
  readonly sources: readonly Source[];
  /** Countries with postcodes in the file. */
  readonly postcodesOf: readonly string[];
}

/** The file is missing, damaged, of another format or of another version. */
export class PlacesFileError extends Error {
  constructor(message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.name = 'PlacesFileError';
  }
}

/** Unit of outlines: millionths of a degree. */
export const microDegrees = 1_000_000;

/** Value that stands for the area of all land, which has no country. */
export const landArea = 0xfffe;

/** Value that stands for no area. */
export const noArea = 0xffff;

/** Bands of latitude, from south to north. */
export const bandCount = 720;

/** Returns the band of a latitude in degrees. */
export const getBand = (latitude: number): number =>
  Math.max(0, Math.min(bandCount - 1, Math.floor(((latitude + 90) / 180) * bandCount)));

const magic = Buffer.from('HPLACES\n');
const hashAt = 16;
const firstEntryAt = 48;
const entryBytes = 32;
const nameBytes = 24;

/** Encodes the sections. Equal sections make equal files. */
export const encodePlacesFile = (sections: Sections): Buffer => {
  let end = firstEntryAt + sectionNames.length * entryBytes;
  const entries = sectionNames.map((name) => {
    const offset = Math.ceil(end / 8) * 8;
    end = offset + sections[name].length;
    return { name, offset, bytes: sections[name] };
  });
  const file = Buffer.alloc(end);
  magic.copy(file);
  file.writeUInt32LE(placesFileVersion, 8);
  file.writeUInt32LE(entries.length, 12);
  for (const [index, { name, offset, bytes }] of entries.entries()) {
    const at = firstEntryAt + index * entryBytes;
    file.write(name, at, 'ascii');
    file.writeUInt32LE(offset, at + nameBytes);
    file.writeUInt32LE(bytes.length, at + nameBytes + 4);
    file.set(bytes, offset);
  }
  computeHash(file).copy(file, hashAt);
  return file;
};

/** Checks the integrity of a file and reads its sections. @throws PlacesFileError */
export const decodePlacesFile = (file: Buffer): Sections => {
  if (file.length < firstEntryAt || !file.subarray(0, 8).equals(magic))
    throw new PlacesFileError('not a place data file');
  const version = file.readUInt32LE(8);
  if (version !== placesFileVersion)
    throw new PlacesFileError(`place data file of version ${version}, expected ${placesFileVersion}`);
  if (!computeHash(file).equals(file.subarray(hashAt, firstEntryAt)))
    throw new PlacesFileError('damaged place data file');
  const found = new Map<string, Uint8Array>();
  for (let index = 0; index < file.readUInt32LE(12); index++) {
    const at = firstEntryAt + index * entryBytes;
    const name = file.toString('ascii', at, at + nameBytes).replace(/\0+$/, '');
    const offset = file.readUInt32LE(at + nameBytes);
    found.set(name, file.subarray(offset, offset + file.readUInt32LE(at + nameBytes + 4)));
  }
  return Object.fromEntries(
    sectionNames.map((name) => {
      const bytes = found.get(name);
      if (bytes === undefined) throw new PlacesFileError(`place data file without ${name}`);
      return [name, bytes];
    }),
  ) as Record<SectionName, Uint8Array>;
};

const computeHash = (file: Buffer): Buffer =>
  createHash('sha256').update(file.subarray(0, hashAt)).update(file.subarray(firstEntryAt)).digest();

/** Bytes of a section. The functions below return them as numbers without copying, because sections begin at multiples of 8. */
type Bytes = Uint8Array;

export const toUint16 = ({ buffer, byteOffset, length }: Bytes): Uint16Array =>
  new Uint16Array(buffer, byteOffset, length / 2);

export const toUint32 = ({ buffer, byteOffset, length }: Bytes): Uint32Array =>
  new Uint32Array(buffer, byteOffset, length / 4);

export const toInt32 = ({ buffer, byteOffset, length }: Bytes): Int32Array =>
  new Int32Array(buffer, byteOffset, length / 4);

export const toFloat32 = ({ buffer, byteOffset, length }: Bytes): Float32Array =>
  new Float32Array(buffer, byteOffset, length / 4);
