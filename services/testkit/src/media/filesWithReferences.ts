import { readFile } from 'node:fs/promises';

/** Targets of the references. Nothing may open them. */
export interface ReferenceTargets {
  /** Path of a file. */
  readonly secret: string;
  readonly url: string;
}

/** Makes files that refer to another file or to a URL, by filename. `movie` is the path of a MOV. */
export const makeFilesWithReferences = async (
  movie: string,
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
  'outside.mov': putReference(await readFile(movie), secret),
});

/** Makes a MOV with its pictures in another file, through an alias in `dref` (QuickTime File Format). */
function putReference(movie: Buffer, path: string): Buffer {
  const parents = ['moov', 'trak', 'mdia', 'minf', 'dinf'];
  const position = [...parents, 'dref'].reduce<{ readonly sizes: number[]; readonly at: number }>(
    ({ sizes, at }, type) => ({ sizes: [...sizes, at], at: findBox(movie, type, at) }),
    { sizes: [], at: 0 },
  );
  const end = position.at + movie.readUInt32BE(position.at);
  const reference = makeReference(path);
  const growth = reference.length - (end - position.at);
  const resized = Buffer.from(movie);
  for (const at of position.sizes.slice(1)) resized.writeUInt32BE(resized.readUInt32BE(at) + growth, at);
  return Buffer.concat([resized.subarray(0, position.at), reference, resized.subarray(end)]);
}

/** Returns the position of the first box of a type inside the box at `at`. 0 means the file itself. */
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
