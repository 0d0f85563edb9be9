/** Whether an `If-None-Match` names the answer, weakly compared (RFC 9110, 13.1.2). */
export const matchesEtag = (header: string | undefined, etag: string): boolean =>
  header !== undefined &&
  (header.trim() === '*' || header.split(',').some((tag) => withoutWeakness(tag.trim()) === withoutWeakness(etag)));

const withoutWeakness = (tag: string): string => tag.replace(/^W\//, '');
