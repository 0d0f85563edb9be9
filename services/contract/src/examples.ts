import type { routes } from './routes.ts';

/**
 * What an example of a route sends. `$NAME` in a text stands for a value of the reader's own, such as `$TOKEN`: those of `exampleVariables`.
 */
export interface RouteExample {
  /** By the parameters of the path; `id` means `$ITEM` unless given. */
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** The JSON body. */
  readonly body?: Readonly<Record<string, unknown>>;
  /** Whether the bytes of `photo.jpg` are sent, as a form or as they are. */
  readonly hasPhoto?: boolean;
  /** The whole address, for routes that are reached by a link of another answer. */
  readonly link?: string;
  /** The file that keeps an answer of bytes. */
  readonly saveAs?: string;
  /** Whether the answer goes on until somebody ends it. */
  readonly isEndless?: boolean;
}

/** What examples leave to the reader, and what it means. */
export const exampleVariables = {
  HEARTH: 'the address of the server, such as `http://127.0.0.1:5001`',
  TOKEN: 'the access token of a user, as `login` answers it',
  ADMIN: 'name and password of the administrator, with a colon between them',
  USERNAME: 'the name that a user signs in with',
  PASSWORD: 'that user’s password',
  REFRESH_TOKEN: 'a refresh token, as `login` answers it',
  CODE: 'what follows `#` in the link of the first start',
  ITEM: 'the id of a photo or video',
  ALBUM: 'the id of an album',
  PLACE: 'the id of a place',
  THING: 'the id of a thing',
  PERSON: 'the id of a person',
  OTHER: 'the id of another person',
  GROUP: 'the id of a group of duplicates',
  KEPT: 'the id of the photo of that group that is kept',
  REVISION: 'the `revision` of that group, as it was when it was looked at',
  JOB: 'the id of a job',
  UPLOAD: 'the id of a resumable upload that was begun',
  SIZE: 'the bytes of `photo.jpg`',
  SESSION: 'the id of a session',
  USER: 'the id of a user',
  FILE: 'a signed link of a media item, such as its `sourceUrl`',
  THUMBNAIL: 'a link that a timeline’s grid begins with, and the id of an item',
  SHARE: 'the `shareId` of a shared album',
  SHARED: 'a link of an item of a shared album',
} as const;

const tus = { 'Tus-Resumable': '1.0.0' };
const items = { mediaItems: ['$ITEM'] };
const bytes = 'application/offset+octet-stream';
const album = { params: { id: '$ALBUM' } };
const share = { params: { id: '$SHARE' } };
const place = { params: { id: '$PLACE' } };
const thing = { params: { id: '$THING' } };
const person = { params: { id: '$PERSON' } };
const user = { params: { id: '$USER' } };
const group = { params: { id: '$GROUP' } };
const job = { params: { id: '$JOB' } };
const noCover = { coverMediaItemId: null };

/** An example of every route, from which those in the reference are made. A missing one does not compile. */
export const examples: Readonly<Record<keyof typeof routes, RouteExample>> = {
  listMediaItems: { query: { type: 'PHOTO', limit: '50' } },
  uploadMediaItem: { hasPhoto: true },
  checkMediaItems: { body: { checksums: ['e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'] } },
  getMediaItem: {},
  updateMediaItem: { body: { description: 'At the lake', favourite: true } },
  deleteMediaItem: {},
  getUploadOptions: {},
  createUpload: { headers: { ...tus, 'Upload-Length': '$SIZE', 'Upload-Metadata': 'filename cGhvdG8uanBn' } },
  getUpload: { params: { id: '$UPLOAD' }, headers: tus },
  continueUpload: {
    params: { id: '$UPLOAD' },
    headers: { ...tus, 'Upload-Offset': '0', 'Content-Type': bytes },
    hasPhoto: true,
  },
  deleteUpload: { params: { id: '$UPLOAD' }, headers: tus },
  getTimeline: {},
  listMonthMediaItems: { params: { month: '2024-06' } },
  getTimelineGrid: { params: { section: '2024-06' } },
  listYearsAgo: { params: { monthDate: '0621' } },
  listSimilarMediaItems: {},
  listDuplicates: {},
  getDuplicates: group,
  listDuplicateMediaItems: group,
  resolveDuplicates: { ...group, body: { keep: ['$KEPT'], revision: '$REVISION' } },
  dismissDuplicates: { ...group, body: { revision: '$REVISION' } },
  restoreDuplicates: group,
  searchMediaItems: { query: { q: 'beach 2024' } },
  listSearchSuggestions: { query: { q: 'be' } },
  listFavourites: {},
  addToFavourites: { body: items },
  removeFromFavourites: { body: items },
  listHidden: {},
  addToHidden: { body: items },
  removeFromHidden: { body: items },
  listAlbums: { query: { sort: 'name' } },
  createAlbum: { body: { name: 'Summer', description: 'At the lake' } },
  getAlbum: album,
  updateAlbum: { ...album, body: { name: 'Summer 2024', shared: true } },
  deleteAlbum: album,
  listAlbumMediaItems: album,
  addToAlbum: { ...album, body: items },
  removeFromAlbum: { ...album, body: items },
  listMediaItemAlbums: {},
  listPlaces: {},
  getPlacesMap: { query: { bounds: '5.9,45.8,10.5,47.8', zoom: '8' } },
  getPlace: place,
  updatePlace: { ...place, body: noCover },
  listPlaceMediaItems: place,
  listMediaItemPlaces: {},
  listThings: {},
  getThing: thing,
  updateThing: { ...thing, body: noCover },
  listThingMediaItems: thing,
  listMediaItemThings: {},
  listPeople: {},
  getPerson: person,
  updatePerson: { ...person, body: { name: 'Ada' } },
  mergePeople: { ...person, body: { people: ['$OTHER'] } },
  separatePeople: { ...person, body: { people: ['$OTHER'] } },
  removeFromPerson: { ...person, body: items },
  returnToPerson: { ...person, body: items },
  listPersonMediaItems: person,
  listMediaItemPeople: {},
  getSharedAlbum: share,
  listSharedMediaItems: share,
  getSharedFile: { link: '$SHARED', saveAs: 'shared.webp' },
  listTrash: {},
  addToTrash: { body: items },
  restoreFromTrash: { body: items },
  getProcessing: {},
  retryProcessing: { body: { component: 'METADATA' } },
  listJobs: {},
  createJob: { body: { components: ['METADATA', 'PLACES'] } },
  getJob: job,
  updateJob: { ...job, body: { status: 'PAUSED' } },
  watchEvents: { isEndless: true },
  getFile: { link: '$FILE', saveAs: 'original.jpg' },
  getThumbnail: { link: '$THUMBNAIL', saveAs: 'thumbnail.webp' },
  login: { body: { username: '$USERNAME', password: '$PASSWORD' } },
  logInOnce: { body: { code: '$CODE' } },
  refresh: { body: { refreshToken: '$REFRESH_TOKEN' } },
  logout: {},
  changePassword: { body: { currentPassword: '$PASSWORD', newPassword: 'four words are enough' } },
  listSessions: {},
  endOtherSessions: {},
  endSession: { params: { id: '$SESSION' } },
  getFeatures: {},
  listUsers: {},
  createUser: { body: { name: 'Ada', username: 'ada', password: 'four words are enough' } },
  getUser: user,
  updateUser: { ...user, body: { quotaBytes: 100_000_000_000 } },
  deleteUser: user,
  listAudit: {},
  getOriginals: {},
  getVersion: {},
  getWebConfig: {},
  getDisk: {},
  getLiveness: {},
  getReadiness: {},
  getOpenApiDocument: {},
};
