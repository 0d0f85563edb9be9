import { readFile } from 'node:fs/promises';

/** Targets of the references. Nothing may open them. */
export interface ReferenceTargets {
  /** Path of a file. */
  readonly secret: string;
  readonly url: string;
}

/** Makes files of several formats, by filename, that refer to another file or to a URL. `film` is the path of a MOV. */
export const makeFilesWithReferences = async (
  film: string,
  { secret, url }: ReferenceTargets,
): Promise<Readonly<Record<string, Buffer>>> => ({
  'playlist.m3u8': Buffer.from(
    `#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:3\n#EXTINF:3,\nfile:${secret}\n#EXTINF:3,\n${url}\n#EXT-X-ENDLIST\n`,
  ),
  'concat.txt': Buffer.from(`ffconcat version 1.0\nfile file:${secret}\nfile ${url}\n`),
  'address.txt': Buffer.from(`ffconcat version 1.0\nfile ${url}\n`),
  'dash.mpd': Buffer.from(
    '<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" mediaPresentationDuration="PT3S">' +
      `<Period><AdaptationSet mimeType="video/mp4"><Representation id="0" bandwidth="1" width="64" height="48"><BaseURL>${url}` +
      '</BaseURL></Representation></AdaptationSet></Period></MPD>',
  ),
  'stream.sdp': Buffer.from('v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nt=0 0\nm=video 5004 RTP/AVP 96\n'),
  'drawing.svg': Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="64" height="48"><image href="file://${secret}" width="9" height="9"/>` +
      `<image href="${url}" width="9" height="9"/></svg>`,
  ),
  'outside.mov': putReference(await readFile(film), secret),
});

/** Makes a MOV whose pictures are in another file, by an alias in its data reference (QuickTime File Format, `dref`). */
function putReference(film: Buffer, path: string): Buffer {
  const parents = ['moov', 'trak', 'mdia', 'minf', 'dinf'];
  const place = [...parents, 'dref'].reduce<{ readonly sizes: number[]; readonly at: number }>(
    ({ sizes, at }, type) => ({ sizes: [...sizes, at], at: findBox(film, type, at) }),
    { sizes: [], at: 0 },
  );
  const end = place.at + film.readUInt32BE(place.at);
  const reference = makeReference(path);
  const growth = reference.length - (end - place.at);
  const grown = Buffer.from(film);
  for (const at of place.sizes.slice(1)) grown.writeUInt32BE(grown.readUInt32BE(at) + growth, at);
  return Buffer.concat([grown.subarray(0, place.at), reference, grown.subarray(end)]);
}

/** Returns the position of the first box of a type inside the box at `at`; 0 is the file itself. */
function findBox(file: Buffer, type: string, at: number): number {
  for (let box = at === 0 ? 0 : at + 8; box + 8 <= file.length; box += file.readUInt32BE(box)) {
    if (file.toString('latin1', box + 4, box + 8) === type) return box;
  }
  throw new Error(`no ${type} in the video`);
}

function makeReference(path: string): Buffer {
  const name = Buffer.alloc(2 * Math.ceil(path.length / 2));
  name.write(path);
  const alias = Buffer.alloc(150 + 4 + name.length + 4);
  // The levels from and to the file, both unknown, then the absolute path and the end.
  alias.writeInt16BE(-1, 130);
  alias.writeInt16BE(-1, 132);
  alias.writeInt16BE(2, 150);
  alias.writeInt16BE(name.length, 152);
  name.copy(alias, 154);
  alias.writeInt16BE(-1, 154 + name.length);
  const head = Buffer.alloc(16 + 12);
  head.writeUInt32BE(head.length + alias.length, 0);
  head.write('dref', 4);
  head.writeUInt32BE(1, 12);
  head.writeUInt32BE(12 + alias.length, 16);
  head.write('alis', 20);
  return Buffer.concat([head, alias]);
}
