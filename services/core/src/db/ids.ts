/** In front of every other id. */
export const firstId = '00000000-0000-0000-0000-000000000000';

/** Behind every other id. */
export const lastId = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
