import { writeItemEmbedding } from '@hearth/core/db/embeddings/itemEmbeddings.ts';
import { embeddingSides } from '@hearth/inference/embeddings/embedding.ts';
import type { Component } from '../context/component.ts';
import { taskCapabilities } from '../models/taskCapabilities.ts';

/** Finds out what a photo or the poster of a video means, by which it is found in other words than those that stand beside it. */
export const search: Component = {
  name: 'SEARCH',
  opens: ['inference'],
  capabilities: [taskCapabilities.meaning],
  pixels: embeddingSides,
  run: async ({ inference, config }, { item, pixels }) => {
    const embedding = await inference.embedPicture(await Promise.all(embeddingSides.map(pixels)));
    return {
      state: 'DONE',
      warnings: [],
      writes: { write: (trx) => writeItemEmbedding(trx, item, config.searchModel, embedding) },
    };
  },
};
