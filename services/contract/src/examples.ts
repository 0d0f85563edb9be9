/** The request of a route’s example. `$NAME` is a placeholder for a value of the reader, see `exampleVariables`. */
export interface RouteExample {
  /** Parameters of the path. The default of a parameter is `$ITEM`. */
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** The JSON body. */
  readonly body?: Readonly<Record<string, unknown>>;
  /** Sends the bytes of `photo.jpg`, as a form or as the body. */
  readonly hasPhoto?: boolean;
  /** The whole URL, for routes that are reached by a link in another response. */
  readonly link?: string;
  /** The file to save bytes to. */
  readonly saveAs?: string;
  /** The response is an endless stream. */
  readonly isEndless?: boolean;
}

/** Variables of examples, with their meaning. */
export const exampleVariables = {
  HEARTH: 'the address of the server, such as `http://127.0.0.1:5001`',
  TOKEN: 'the access token of a user, as returned by `login`',
  ADMIN: 'name and password of the administrator, with a colon between them',
  USERNAME: 'the username',
  PASSWORD: 'the password of that user',
  REFRESH_TOKEN: 'a refresh token, as returned by `login`',
  CODE: 'the part after `#` in the link of the first start',
  ITEM: 'the id of a photo or video',
  ALBUM: 'the id of an album',
  PLACE: 'the id of a place',
  THING: 'the id of a thing',
  PERSON: 'the id of a person',
  OTHER: 'the id of another person',
  GROUP: 'the id of a group of duplicates',
  KEPT: 'the id of the photo of that group to keep',
  REVISION: 'the `revision` of that group when it was read',
  JOB: 'the id of a job',
  UPLOAD: 'the id of a resumable upload',
  SIZE: 'the size of `photo.jpg` in bytes',
  SESSION: 'the id of a session',
  USER: 'the id of a user',
  FILE: 'a signed link of a media item, such as its `sourceUrl`',
  THUMBNAIL: 'an entry of `thumbnailPrefixes` of a timeline grid, followed by the id of an item',
  SHARE: 'the `shareId` of a shared album',
  SHARED: 'a link of an item of a shared album',
} as const;
