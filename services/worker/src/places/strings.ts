import { toUint32 } from './placesFile.ts';

/** Returns a string by its number; undefined for number 0, the empty string. */
export type Strings = (number: number | undefined) => string | undefined;

/** Reads the strings of a file, each on demand. */
export const readStrings = (section: Uint8Array): Strings => {
  const bytes = Buffer.from(section.buffer, section.byteOffset, section.length);
  const count = bytes.readUInt32LE(0);
  const begins = toUint32(section.subarray(4, 4 + 4 * (count + 1)));
  const text = bytes.subarray(4 + 4 * (count + 1));
  return (number) =>
    number === undefined || number === 0 ? undefined : text.toString('utf8', begins[number], begins[number + 1]);
};

/** Collects strings and numbers them, without duplicates. */
export interface StringTable {
  getIndex(text: string): number;
  encode(): Buffer;
}

/** Makes a table that contains the empty string. */
export const makeStringTable = (): StringTable => {
  const numbers = new Map([['', 0]]);
  return {
    getIndex: (text) => {
      const number = numbers.get(text) ?? numbers.size;
      numbers.set(text, number);
      return number;
    },
    encode: () => {
      const texts = [...numbers.keys()].map((text) => Buffer.from(text));
      const header = new Uint32Array(texts.length + 2);
      header[0] = texts.length;
      let end = 0;
      for (const [index, text] of texts.entries()) header[index + 2] = end += text.length;
      return Buffer.concat([Buffer.from(header.buffer), ...texts]);
    },
  };
};
