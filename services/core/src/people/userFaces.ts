import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Database } from '../db/database.ts';
import { minLikeness } from './alikeFaces.ts';
import { embeddingVersion } from './faceEmbedding.ts';

/*
 * [Note: Embeddings in memory] A face is compared with every face of its user. What is chosen by less than all of them, such as by the mean of each
 * person, loses a pair of faces now and then that connects two people, and which one depends on the order of upload: in 128 dimensions two faces with a
 * likeness of 0.45 are hardly nearer to what stands for many faces than strangers are. So a process that puts faces to people keeps the embeddings of
 * the users whom it does so for, 256 bytes for a face, and reads on behind the last one that it has. Behind the lock of the user's people nobody
 * else writes, so that it misses none. A face that is gone stays in memory for ten minutes at most, and is left out where its person is asked for.
 */

/** A face that is like another. */
export interface NearFace {
  readonly id: string;
  readonly likeness: number;
}

/** The faces that are like one, at `minLikeness` or more: those that found people, and those that do not. */
export interface NearFaces {
  readonly founding: readonly NearFace[];
  readonly poor: readonly NearFace[];
}

/** Numbers of an embedding. */
const dimensions = 128;

/** The embeddings of one user's faces. */
interface UserFaces {
  /** 16 bytes of each, in Latin 1, with the place of its embedding. */
  readonly places: Map<string, number>;
  readonly ids: string[];
  vectors: Float16Array<ArrayBuffer>;
  founding: Uint8Array<ArrayBuffer>;
  /** The last one that was read, by `written`. */
  last: string;
  /** When the first one was read, in milliseconds. */
  readonly since: number;
  /** Forgets all of it when nobody asks. */
  timer: NodeJS.Timeout | undefined;
}

/** Milliseconds for which embeddings are kept after they were asked for. */
const idleMs = 30_000;

/** Milliseconds after which they are read anew, so that faces that are gone do not stay. */
const maxAgeMs = 600_000;

/** The most faces that are kept of all users, but for one with more: some 80 MB with the room for more and the ids. */
const maxFaces = 200_000;

const kept = new Map<string, UserFaces>();

/**
 * Compares faces with all of a user's, whose people are locked; the answers are in the order of `embeddings`.
 * @param embeddings as they are stored, of length 1
 */
export const findNearFaces = async (
  trx: Database,
  userId: string,
  embeddings: readonly Float32Array[],
): Promise<readonly NearFaces[]> => {
  if (embeddings.length === 0) return [];
  const faces = keep(userId);
  await readOn(trx, userId, faces);
  for (const other of kept.keys()) {
    if (other === userId || [...kept.values()].reduce((sum, { ids }) => sum + ids.length, 0) <= maxFaces) break;
    forgetKeptFaces(other);
  }
  const near: NearFaces[] = [];
  for (const embedding of embeddings) {
    near.push(compareWith(faces, embedding));
    // A picture of hundreds of faces in a library of many takes seconds: whatever else the process does goes on meanwhile.
    await setImmediate();
  }
  return near;
};

/** Forgets what this process keeps of a user's faces. */
export const forgetKeptFaces = (userId: string): void => {
  clearTimeout(kept.get(userId)?.timer);
  kept.delete(userId);
};

/** Those that are kept of a user, from now on the one that was asked for last. */
const keep = (userId: string): UserFaces => {
  const before = kept.get(userId);
  forgetKeptFaces(userId);
  const isFresh = before !== undefined && Date.now() - before.since < maxAgeMs;
  const faces: UserFaces = isFresh ? before : emptyFaces();
  faces.timer = setTimeout(() => forgetKeptFaces(userId), idleMs).unref();
  kept.set(userId, faces);
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

/** Embeddings that are read at once: 2 MB as PostgreSQL sends them. */
const pageSize = 4_000;

interface Page {
  readonly count: number;
  readonly last: string;
  readonly ids: Buffer;
  readonly embeddings: Buffer;
  readonly founding: Buffer;
}

const readOn = async (trx: Database, userId: string, faces: UserFaces): Promise<void> => {
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

const addPage = (faces: UserFaces, { count, last, ids, embeddings, founding }: Page): void => {
  makeRoom(faces, faces.ids.length + count);
  const vectors = new Float16Array(Uint8Array.from(embeddings).buffer);
  for (let nth = 0; nth < count; nth += 1) {
    const key = ids.toString('latin1', 16 * nth, 16 * (nth + 1));
    const place = faces.places.get(key) ?? faces.ids.push(key) - 1;
    faces.places.set(key, place);
    faces.vectors.set(vectors.subarray(dimensions * nth, dimensions * (nth + 1)), dimensions * place);
    faces.founding[place] = founding[nth]!;
  }
  faces.last = last;
};

const makeRoom = (faces: UserFaces, count: number): void => {
  if (count <= faces.founding.length) return;
  const { vectors, founding } = faces;
  const room = Math.max(1_000, Math.ceil(1.25 * count));
  faces.vectors = new Float16Array(dimensions * room);
  faces.vectors.set(vectors);
  faces.founding = new Uint8Array(room);
  faces.founding.set(founding);
};

const compareWith = ({ ids, vectors, founding }: UserFaces, embedding: Float32Array): NearFaces => {
  const near = { founding: [] as NearFace[], poor: [] as NearFace[] };
  for (let place = 0; place < ids.length; place += 1) {
    const likeness = likenessAt(embedding, vectors, dimensions * place);
    if (likeness < minLikeness) continue;
    const face = { id: uuidOf(ids[place]!), likeness };
    (founding[place] === 1 ? near.founding : near.poor).push(face);
  }
  return near;
};

/** The cosine as in `likenessOf`, in four sums that do not wait for each other: twice as fast. */
const likenessAt = (one: Float32Array, all: Float16Array, from: number): number => {
  let [a, b, c, d] = [0, 0, 0, 0];
  for (let i = 0; i < dimensions; i += 4) {
    a += one[i]! * all[from + i]!;
    b += one[i + 1]! * all[from + i + 1]!;
    c += one[i + 2]! * all[from + i + 2]!;
    d += one[i + 3]! * all[from + i + 3]!;
  }
  return a + b + c + d;
};

const uuidOf = (key: string): string =>
  Buffer.from(key, 'latin1')
    .toString('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
