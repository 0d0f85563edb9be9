/** How many ids one request of the API may name. */
const maxIdsPerRequest = 1000;

/** The ids, each once and in their order, in as many parts as the API needs. */
export const inBatches = (ids: readonly string[], size: number = maxIdsPerRequest): readonly (readonly string[])[] => {
  const distinct = [...new Set(ids)];
  return Array.from({ length: Math.ceil(distinct.length / size) }, (_, part) =>
    distinct.slice(part * size, (part + 1) * size),
  );
};
