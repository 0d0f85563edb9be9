/** Scales a vector to length 1. Returns a zero vector unchanged; its similarity with everything is 0. */
export const normalise = (vector: Float32Array): Float32Array => {
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  return length === 0 ? vector : vector.map((value) => value / length);
};
