/** How long the trash keeps what is in it, unless the server was told otherwise. */
export const trashDays = 30;

const dayMs = 86_400_000;

/**
 * For how many days yet, begun ones included, what was put into the trash at `trashedAt` can be restored: 30 at first, 1 on the last day, 0 once it
 * may be removed at any moment.
 */
export const daysLeft = (trashedAt: string, now: Date): number => {
  const passedMs = now.getTime() - new Date(trashedAt).getTime();
  return Math.min(trashDays, Math.max(0, Math.ceil(trashDays - passedMs / dayMs)));
};
