/** Compares `If-None-Match` with an ETag by weak comparison (RFC 9110, 13.1.2). */
export const matchesEtag = (header: string | undefined, etag: string): boolean =>
  header !== undefined &&
  (header.trim() === '*' || header.split(',').some((tag) => withoutWeakness(tag.trim()) === withoutWeakness(etag)));

const withoutWeakness = (tag: string): string => tag.replace(/^W\//, '');
