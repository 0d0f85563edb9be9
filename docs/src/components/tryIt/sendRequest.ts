import type { TryItOperation } from './operation';

/** Values of a filled form. */
export interface FilledForm {
  /** By field name. Empty values are not sent. */
  readonly values: Readonly<Record<string, string>>;
  readonly json?: string;
  readonly file?: File;
  readonly token: string;
  readonly adminPassword: string;
}

/** The response to show. */
export interface ShownResponse {
  readonly status: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly milliseconds: number;
  readonly text?: string;
  /** A response that is not text, to save. */
  readonly bytes?: Blob;
}

/** Maximum length of a text that is shown. */
const maxLength = 200_000;

/**
 * Sends a request and calls `show` with the response. For an event stream it calls `show` after each part.
 * @throws Error without a response
 */
export const sendRequest = async (
  operation: TryItOperation,
  form: FilledForm,
  signal: AbortSignal,
  show: (response: ShownResponse) => void,
): Promise<void> => {
  const startedAt = performance.now();
  const response = await fetch(toUrl(operation, form), {
    method: operation.method,
    headers: toHeaders(operation, form),
    body: toBody(operation, form),
    signal,
  });
  const seen = (): Omit<ShownResponse, 'text' | 'bytes'> => ({
    status: `${response.status} ${response.statusText}`.trim(),
    headers: [...response.headers],
    milliseconds: Math.round(performance.now() - startedAt),
  });
  const type = response.headers.get('content-type') ?? '';
  if (!/json|text/.test(type)) {
    const bytes = await response.blob();
    show({ ...seen(), ...(bytes.size > 0 && { bytes }) });
    return;
  }
  if (!type.startsWith('text/event-stream')) {
    const text = await response.text();
    show({ ...seen(), text: (type.includes('json') ? format(text) : text).slice(0, maxLength) });
    return;
  }
  let text = '';
  show({ ...seen(), text });
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    text = (text + part.value).slice(-maxLength);
    show({ ...seen(), text });
  }
};

const format = (text: string): string => {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2);
  } catch {
    return text;
  }
};

const toUrl = ({ path, fields }: TryItOperation, { values }: FilledForm): string => {
  const link = fields.find(({ place }) => place === 'link');
  // Only the path, so that a link to another server stays on this one.
  if (link !== undefined) {
    const url = new URL(values[link.name] ?? '', location.origin);
    return url.pathname + url.search;
  }
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''));
  const query = new URLSearchParams();
  for (const { name, place } of fields) if (place === 'query' && values[name]) query.set(name, values[name]);
  return query.size === 0 ? filled : `${filled}?${query}`;
};

const toHeaders = ({ access, fields, json, file }: TryItOperation, form: FilledForm): Headers => {
  const headers = new Headers();
  for (const { name, place } of fields)
    if (place === 'header' && form.values[name]) headers.set(name, form.values[name]);
  const needsToken = access === 'bearer' || access === 'session';
  if (needsToken && form.token !== '') headers.set('Authorization', `Bearer ${form.token}`);
  if (access === 'basic') headers.set('Authorization', `Basic ${toBase64(`admin:${form.adminPassword}`)}`);
  if (json !== undefined) headers.set('Content-Type', 'application/json');
  if (file !== undefined && file !== 'form' && form.file !== undefined) headers.set('Content-Type', file);
  return headers;
};

/** `btoa` accepts bytes only. */
const toBase64 = (text: string): string => btoa(String.fromCodePoint(...new TextEncoder().encode(text)));

const toBody = ({ json, file }: TryItOperation, form: FilledForm): BodyInit | undefined => {
  if (json !== undefined) return form.json;
  if (file === undefined || form.file === undefined) return undefined;
  if (file !== 'form') return form.file;
  const body = new FormData();
  body.append('file', form.file);
  return body;
};
