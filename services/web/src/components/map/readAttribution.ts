/** A part of what the source of a map says about whose it is; some parts are links. */
export interface AttributionPart {
  readonly text: string;
  readonly href: string | undefined;
}

const entities: Readonly<Record<string, string>> = { copy: '©', amp: '&', nbsp: '\u00A0', quot: '"', lt: '<', gt: '>' };

/**
 * Reads an attribution, which sources write as HTML, as text and links to http alone: nothing of it may become markup of the page, whose Trusted Types
 * forbid MapLibre's own way of showing it.
 */
export const readAttribution = (html: string): AttributionPart[] => {
  const parts: AttributionPart[] = [];
  let href: string | undefined;
  for (const [, tag, text] of html.matchAll(/<([^>]*)>|([^<]+)/g)) {
    if (text !== undefined) parts.push({ text: decode(text), href });
    else if (/^\/?a\b/i.test(tag ?? '')) href = /\shref=["']?(https?:[^"'\s]+)/i.exec(tag ?? '')?.[1];
  }
  return parts;
};

const decode = (text: string): string =>
  text.replace(/&(?:([a-z]+)|#(\d{1,6}));/gi, (whole, name: string | undefined, code: string | undefined) =>
    code === undefined ? (entities[name ?? ''] ?? whole) : String.fromCodePoint(Number(code)),
  );
