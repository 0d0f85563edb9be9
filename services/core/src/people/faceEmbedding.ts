/**
 * The version of the embeddings that are made now. To be raised with a model whose embeddings cannot be compared with those of the last one: faces
 * then keep their people by where they lie, and are compared anew.
 */
export const embeddingVersion = 1;

/** An embedding as it is stored: half floats, the lower byte first. Their rounding changes no cosine by more than 0.001. */
export const encodeEmbedding = (embedding: Float32Array): Buffer => Buffer.from(new Float16Array(embedding).buffer);

export const decodeEmbedding = (bytes: Buffer): Float32Array =>
  new Float32Array(new Float16Array(Uint8Array.from(bytes).buffer));

/** How alike two faces are: the cosine of their embeddings, which have the length 1. */
export const likenessOf = (one: Float32Array, other: Float32Array): number => {
  let sum = 0;
  for (let i = 0; i < one.length; i += 1) sum += one[i]! * other[i]!;
  return sum;
};
