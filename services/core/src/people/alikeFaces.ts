import { likenessOf } from './faceEmbedding.ts';

/*
 * [Note: Faces that are alike] Two founding faces with a likeness of at least `minLikeness` are of one person, and so are all that are connected by
 * such pairs. A new face is compared with every other one, and which faces are connected does not depend on the order in which they come, so the
 * people are the same in whatever order photos are uploaded, and however many workers look at them. A face that founds nobody is of the person
 * of the founding face that it is most like, and of nobody while none is like it; it connects nobody.
 *
 * Two bounds keep a mistake small, and only where they hold people apart may the order matter. Two people who both have many faces are never put
 * together without being told: among thousands of faces of two siblings some pair is always alike. And nobody is put together against what a person
 * has said: two who were both named or hidden, or of whom a face was taken out. A face that is then like several people is of the one that it is
 * most like.
 */

/**
 * How alike two faces of one person are at least. In 22 photos of 7 people and 132 variants of them, 99 % of the pairs of one person have 0.5 or more,
 * and those of two people 0.26 or less; of 300 pairs of 15 people at least 0.48, and 0.36 or less (2026-11, `npm run bench:quality`).
 */
export const minLikeness = 0.45;

/** Founding faces that each of two people has who are not put together any more. */
export const manyFaces = 20;

/** A face that is known, and whose it is. */
export interface KnownFace {
  readonly personId: string;
  readonly embedding: Float32Array;
}

/** The people who have a face like this one, each with the greatest likeness. */
export const findAlike = (embedding: Float32Array, known: Iterable<KnownFace>): Map<string, number> => {
  const alike = new Map<string, number>();
  for (const face of known) {
    const likeness = likenessOf(embedding, face.embedding);
    if (likeness >= minLikeness && likeness > (alike.get(face.personId) ?? 0)) alike.set(face.personId, likeness);
  }
  return alike;
};

/** Of people with a likeness, the one with the greatest; of two alike the one with the lower id. */
export const mostAlike = (alike: ReadonlyMap<string, number>): string | undefined => {
  let best: string | undefined;
  for (const [id, likeness] of alike) {
    const least = best === undefined ? -1 : alike.get(best)!;
    if (likeness > least || (likeness === least && id < best!)) best = id;
  }
  return best;
};

/** What decides whether a person is put together with others. */
export interface Joinable {
  readonly id: string;
  /** Whether a user has said something about the person: a name, or that nobody is to see them. */
  readonly isTold: boolean;
  /** How many founding faces the person has, counted up to `manyFaces`. */
  readonly faces: number;
}

/**
 * Of people who have a face in common, those that are put together: the first one stays, and who of the others goes up in it.
 * @param people the one that should stay first
 * @param isApart whether a user has said that one is not the other
 */
export const chooseJoined = (
  [stays, ...others]: readonly Joinable[],
  isApart: (one: string, other: string) => boolean,
): readonly Joinable[] => {
  if (stays === undefined) return [];
  const joined: Joinable[] = [];
  let { faces } = stays;
  for (const other of others) {
    const areMany = Math.min(faces, other.faces) >= manyFaces;
    const areTold = stays.isTold && other.isTold;
    if (areMany || areTold || [stays, ...joined].some(({ id }) => isApart(id, other.id))) continue;
    joined.push(other);
    faces += other.faces;
  }
  return joined;
};
