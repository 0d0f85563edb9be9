/**
 * Models for semantic search, the default first. `concept-lite` recognizes a thousand words for single things. It
 * replaces the other models in tests, and is used elsewhere only if configured.
 */
export const searchModelNames = ['tinyclip-vit-8m-16', 'clip-vit-b-32', 'concept-lite'] as const;

export type SearchModelName = (typeof searchModelNames)[number];

/** Dimensions of an embedding, the same for all models. */
export const embeddingLength = 512;

/** A query as an embedding. */
export interface QueryEmbedding {
  readonly model: SearchModelName;
  /** [512], normalized to length 1. */
  readonly vector: Float32Array;
  /** The minimum cosine similarity of a matching picture, −1 to 1. */
  readonly minSimilarity: number;
}
