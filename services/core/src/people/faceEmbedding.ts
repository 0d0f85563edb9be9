/**
 * The version of current embeddings. Raise it for a model whose embeddings cannot be compared with the earlier ones.
 * Faces then keep their people by position and are compared again.
 */
export const embeddingVersion = 1;

/** Encodes an embedding as half floats, little-endian. Rounding changes no cosine by more than 0.001. */
export const encodeEmbedding = (embedding: Float32Array): Buffer => Buffer.from(new Float16Array(embedding).buffer);

export const decodeEmbedding = (bytes: Buffer): Float32Array =>
  new Float32Array(new Float16Array(Uint8Array.from(bytes).buffer));

/** Returns the cosine similarity of two embeddings of length 1. */
export const computeSimilarity = (one: Float32Array, other: Float32Array): number => {
  let sum = 0;
  for (let i = 0; i < one.length; i += 1) sum += one[i]! * other[i]!;
  return sum;
};
