/** One part of a multipart body; with a file name it is a file. */
export interface Part {
  readonly name: string;
  /** As it stands in the header, quotes and escapes included. */
  readonly filename?: string;
  readonly content: Buffer | string;
  /** The part's own content type; none unless given. */
  readonly type?: string;
}

/** The boundary of every body that is made here. */
export const boundary = 'a-boundary-of-the-tests';

/** The content type of a body with parts. */
export const multipartType = `multipart/form-data; boundary=${boundary}`;

/** A multipart body as bytes, with its content type: what a browser would send. */
export const multipart = (parts: readonly Part[]): { headers: { 'content-type': string }; raw: Buffer } => ({
  headers: { 'content-type': multipartType },
  raw: Buffer.concat([...parts.map(encodePart), Buffer.from(`--${boundary}--\r\n`)]),
});

/** The header lines of one part, with the empty line behind them. */
export const partHead = ({ name, filename, type }: Omit<Part, 'content'>): string =>
  [
    `--${boundary}`,
    `Content-Disposition: form-data; name="${name}"${filename === undefined ? '' : `; filename="${filename}"`}`,
    ...(type === undefined ? [] : [`Content-Type: ${type}`]),
    '\r\n',
  ].join('\r\n');

/** An upload of one file. */
export const fileUpload = (content: Buffer | string, filename = 'photo.jpg') =>
  multipart([{ name: 'file', filename, content }]);

const encodePart = (part: Part): Buffer =>
  Buffer.concat([Buffer.from(partHead(part)), Buffer.from(part.content), Buffer.from('\r\n')]);
