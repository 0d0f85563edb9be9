/** The vector of length 1 in the same direction; zeros stay, which are like nothing. */
export const normalise = (vector: Float32Array): Float32Array => {
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  return length === 0 ? vector : vector.map((value) => value / length);
};
