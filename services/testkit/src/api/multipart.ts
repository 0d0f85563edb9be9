/** A part of a multipart body. A part with a file name is a file. */
export interface Part {
  readonly name: string;
  /** Text between the quotes of the header, with escapes. */
  readonly filename?: string;
  readonly content: Buffer | string;
  /** Content type of the part. Default: none. */
  readonly type?: string;
}

/** Boundary of all bodies made here. */
export const boundary = 'a-boundary-of-the-tests';

export const multipartType = `multipart/form-data; boundary=${boundary}`;

/** Builds a multipart body, with its content type, as a browser would send it. */
export const multipart = (parts: readonly Part[]): { headers: { 'content-type': string }; raw: Buffer } => ({
  headers: { 'content-type': multipartType },
  raw: Buffer.concat([...parts.map(encodePart), Buffer.from(`--${boundary}--\r\n`)]),
});

/** Builds the boundary line and the header lines of a part, with the empty line after them. */
export const partHead = ({ name, filename, type }: Omit<Part, 'content'>): string =>
  [
    `--${boundary}`,
    `Content-Disposition: form-data; name="${name}"${filename === undefined ? '' : `; filename="${filename}"`}`,
    ...(type === undefined ? [] : [`Content-Type: ${type}`]),
    '\r\n',
  ].join('\r\n');

/** Builds an upload of one file. */
export const fileUpload = (content: Buffer | string, filename = 'photo.jpg') =>
  multipart([{ name: 'file', filename, content }]);

const encodePart = (part: Part): Buffer =>
  Buffer.concat([Buffer.from(partHead(part)), Buffer.from(part.content), Buffer.from('\r\n')]);
