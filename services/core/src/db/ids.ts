/** Sorts before all other ids. */
export const firstId = '00000000-0000-0000-0000-000000000000';

/** Sorts after all other ids. */
export const lastId = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
