/**
 * The models by which a library can be searched by meaning, the default first. `concept-lite` knows a thousand words of single things and stands in
 * for the others in tests: it is used only where it is named.
 */
export const searchModelNames = ['tinyclip-vit-8m-16', 'clip-vit-b-32', 'concept-lite'] as const;

export type SearchModelName = (typeof searchModelNames)[number];

/** The numbers of an embedding, of whichever model. */
export const embeddingLength = 512;

/** What a query means to a model. */
export interface MeaningVector {
  readonly model: SearchModelName;
  /** [512], of length 1 together. */
  readonly vector: Float32Array;
  /** The least cosine, −1 to 1, of a picture that shows it. */
  readonly minLikeness: number;
}
