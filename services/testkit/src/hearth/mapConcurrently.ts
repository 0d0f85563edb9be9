/** Processes items in order with limited concurrency, and returns the results in the same order. */
export const mapConcurrently = async <Item, Result>(
  concurrency: number,
  items: readonly Item[],
  work: (item: Item, index: number) => Promise<Result>,
): Promise<Result[]> => {
  const results: Result[] = [];
  const remaining = items.entries();
  const runWorker = async (): Promise<void> => {
    for (const [index, item] of remaining) results[index] = await work(item, index);
  };
  await Promise.all(Array.from({ length: concurrency }, runWorker));
  return results;
};
