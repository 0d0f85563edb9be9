import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Database } from '../db/database.ts';
import { minFaceSimilarity } from './similarFaces.ts';
import { embeddingVersion } from './faceEmbedding.ts';

/*
 * [Note: Embeddings in memory] A face is compared with every face of its user. A preselection, for example by the mean
 * of each person, sometimes loses a pair of faces that connects two people, depending on the order of uploads: in 128
 * dimensions, two faces with a similarity of 0.45 are hardly closer to a representative of many faces than strangers
 * are. So a process that assigns faces caches the embeddings of these users, 256 bytes per face, and then reads only
 * new ones. It misses none, because writers need the lock of the user's people. A deleted face stays cached for at most
 * ten minutes; until then `listOwners` returns no person for it.
 */

export interface SimilarFace {
  readonly id: string;
  readonly similarity: number;
}

/** The faces with a similarity of at least `minFaceSimilarity`: founding faces, and faces of poor quality. */
export interface SimilarFaces {
  readonly founding: readonly SimilarFace[];
  readonly poor: readonly SimilarFace[];
}

/** Dimensions of an embedding. */
const dimensions = 128;

/** The embeddings of one user's faces. */
interface UserFaces {
  /** The index of each embedding by face id. The key is the 16 bytes of the id as Latin-1 text. */
  readonly places: Map<string, number>;
  readonly ids: string[];
  vectors: Float16Array<ArrayBuffer>;
  founding: Uint8Array<ArrayBuffer>;
  /** The last row read, by `written`. */
  last: string;
  /** The time of the first read, in ms since 1970. */
  readonly since: number;
  /** Drops the cached faces when they are not used. */
  timer: NodeJS.Timeout | undefined;
}

/** Time to keep unused embeddings, in ms. */
const idleMs = 30_000;

/** Time after which all embeddings are read again, in ms, so that deleted faces do not stay. */
const maxAgeMs = 600_000;

/** Maximum number of cached faces of all users, unless one user has more: about 80 MB with spare capacity and ids. */
const maxFaces = 200_000;

const cachedFaces = new Map<string, UserFaces>();

/**
 * Compares faces with all faces of a user. Returns results in the order of `embeddings`. Requires the lock of the
 * user's people.
 * @param embeddings as stored, of length 1
 */
export const findSimilarFaces = async (
  trx: Database,
  userId: string,
  embeddings: readonly Float32Array[],
): Promise<readonly SimilarFaces[]> => {
  if (embeddings.length === 0) return [];
  const faces = getCachedFaces(userId);
  await loadNewFaces(trx, userId, faces);
  for (const other of cachedFaces.keys()) {
    if (other === userId || [...cachedFaces.values()].reduce((sum, { ids }) => sum + ids.length, 0) <= maxFaces) break;
    clearCachedFaces(other);
  }
  const similar: SimilarFaces[] = [];
  for (const embedding of embeddings) {
    similar.push(compareFaces(faces, embedding));
    // Lets the event loop run: hundreds of faces in a picture, compared with a large library, take seconds.
    await setImmediate();
  }
  return similar;
};

export const clearCachedFaces = (userId: string): void => {
  clearTimeout(cachedFaces.get(userId)?.timer);
  cachedFaces.delete(userId);
};

/** Returns the cached faces of a user and makes them the most recently used. */
const getCachedFaces = (userId: string): UserFaces => {
  const before = cachedFaces.get(userId);
  clearCachedFaces(userId);
  const isFresh = before !== undefined && Date.now() - before.since < maxAgeMs;
  const faces: UserFaces = isFresh ? before : emptyFaces();
  faces.timer = setTimeout(() => clearCachedFaces(userId), idleMs).unref();
  cachedFaces.set(userId, faces);
  return faces;
};

const emptyFaces = (): UserFaces => ({
  places: new Map(),
  ids: [],
  vectors: new Float16Array(0),
  founding: new Uint8Array(0),
  last: '0',
  since: Date.now(),
  timer: undefined,
});

/** Embeddings per query: 2 MB as PostgreSQL sends them. */
const pageSize = 4_000;

interface Page {
  readonly count: number;
  readonly last: string;
  readonly ids: Buffer;
  readonly embeddings: Buffer;
  readonly founding: Buffer;
}

const loadNewFaces = async (trx: Database, userId: string, faces: UserFaces): Promise<void> => {
  for (let isMore = true; isMore;) {
    const { rows } = await sql<Page>`
      select count(*)::integer as count, max(written)::text as last, string_agg(uuid_send(face_id), '' order by written) as ids,
        string_agg(embedding, '' order by written) as embeddings,
        string_agg(case when is_founding then '\\x01'::bytea else '\\x00'::bytea end, '' order by written) as founding
      from (
        select * from face_embeddings
        where user_id = ${userId} and version = ${embeddingVersion} and written > ${faces.last}
        order by written limit ${pageSize}) as page`.execute(trx);
    const page = rows[0]!;
    if (page.count > 0) addPage(faces, page);
    isMore = page.count === pageSize;
  }
};

const addPage = (faces: UserFaces, { count, last: lastWritten, ids, embeddings, founding }: Page): void => {
  ensureCapacity(faces, faces.ids.length + count);
  const vectors = new Float16Array(Uint8Array.from(embeddings).buffer);
  for (let nth = 0; nth < count; nth += 1) {
    const key = ids.toString('latin1', 16 * nth, 16 * (nth + 1));
    const place = faces.places.get(key) ?? faces.ids.push(key) - 1;
    faces.places.set(key, place);
    faces.vectors.set(vectors.subarray(dimensions * nth, dimensions * (nth + 1)), dimensions * place);
    faces.founding[place] = founding[nth]!;
  }
  faces.last = lastWritten;
};

const ensureCapacity = (faces: UserFaces, count: number): void => {
  if (count <= faces.founding.length) return;
  const { vectors, founding } = faces;
  const capacity = Math.max(1_000, Math.ceil(1.25 * count));
  faces.vectors = new Float16Array(dimensions * capacity);
  faces.vectors.set(vectors);
  faces.founding = new Uint8Array(capacity);
  faces.founding.set(founding);
};

const compareFaces = ({ ids, vectors, founding }: UserFaces, embedding: Float32Array): SimilarFaces => {
  const similar = { founding: [] as SimilarFace[], poor: [] as SimilarFace[] };
  for (let place = 0; place < ids.length; place += 1) {
    const similarity = computeSimilarityAt(embedding, vectors, dimensions * place);
    if (similarity < minFaceSimilarity) continue;
    const face = { id: toUuid(ids[place]!), similarity };
    (founding[place] === 1 ? similar.founding : similar.poor).push(face);
  }
  return similar;
};

/** Returns the same as `computeSimilarity`. Four independent sums make it twice as fast. */
const computeSimilarityAt = (one: Float32Array, all: Float16Array, from: number): number => {
  let [a, b, c, d] = [0, 0, 0, 0];
  for (let i = 0; i < dimensions; i += 4) {
    a += one[i]! * all[from + i]!;
    b += one[i + 1]! * all[from + i + 1]!;
    c += one[i + 2]! * all[from + i + 2]!;
    d += one[i + 3]! * all[from + i + 3]!;
  }
  return a + b + c + d;
};

const toUuid = (key: string): string =>
  Buffer.from(key, 'latin1')
    .toString('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
