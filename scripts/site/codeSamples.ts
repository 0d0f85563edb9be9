import { isJsonBody, type Route } from '@hearth/contract/defineRoute.ts';

/** The request of an example. `$NAME` stands for a value of the reader. */
interface Request {
  readonly method: string;
  readonly address: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly json: string | undefined;
  readonly isForm: boolean;
}

const toRequest = (route: Route): Request => {
  const { params = {}, query = {}, headers = {}, body, link } = route.example ?? {};
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => params[name] ?? '$ITEM');
  const search = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  const needsToken = route.auth === 'bearer' || route.auth === 'session';
  return {
    method: route.method.toUpperCase(),
    address: `$HEARTH${link ?? `${path}${search.length === 0 ? '' : `?${search.join('&')}`}`}`,
    headers: { ...(needsToken && { Authorization: 'Bearer $TOKEN' }), ...headers },
    json: body === undefined || !isJsonBody(route.body) ? undefined : JSON.stringify(body),
    isForm: route.body !== undefined && 'multipart' in route.body,
  };
};

/** Renders the example for curl 7.82 or newer. */
export const renderCurlSample = (route: Route): string => {
  const { method, address, headers, json, isForm } = toRequest(route);
  const { hasPhoto, saveAs, isEndless } = route.example ?? {};
  const isPlain = method === 'GET' || method === 'HEAD' || (method === 'POST' && (json !== undefined || isForm));
  const options = [
    ...(method === 'HEAD' ? ['--head'] : isPlain ? [] : [`--request ${method}`]),
    ...(method === 'OPTIONS' || route.path === '/v1/uploads' ? ['--include'] : []),
    ...(route.auth === 'basic' ? ['--user "$ADMIN"'] : []),
    ...Object.entries(headers).map(([name, value]) => `--header "${name}: ${value}"`),
    ...(hasPhoto === true ? [isForm ? "--form 'file=@photo.jpg'" : '--data-binary @photo.jpg'] : []),
    ...(json === undefined ? [] : ['--json @-']),
    ...(saveAs === undefined ? [] : [`--output ${saveAs}`]),
    ...(isEndless === true ? ['--no-buffer'] : []),
  ];
  const command = [`curl --fail-with-body "${address}"`, ...options].join(' \\\n  ');
  return json === undefined ? command : `${command} <<JSON\n${json}\nJSON`;
};

/** Renders the example for TypeScript on Node 24. */
export const renderTypeScriptSample = (route: Route): string => {
  const { method, address, headers, json, isForm } = toRequest(route);
  const { hasPhoto, saveAs } = route.example ?? {};
  const lines: string[] = [];
  if (hasPhoto === true) lines.push("import { openAsBlob } from 'node:fs';", '');
  if (saveAs !== undefined) lines.push("import { writeFile } from 'node:fs/promises';", '');
  const all = [
    ...Object.entries(headers).map(([name, value]) => `${/^\w+$/.test(name) ? name : `'${name}'`}: ${quote(value)},`),
    ...(route.auth === 'basic' ? ['Authorization: `Basic ${btoa(admin)}`,'] : []),
    ...(json === undefined ? [] : ["'Content-Type': 'application/json',"]),
  ];
  if (isForm)
    lines.push('const form = new FormData();', "form.append('file', await openAsBlob('photo.jpg'), 'photo.jpg');");
  const init = [
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    ...(all.length === 0 ? [] : ['  headers: {', ...all.map((line) => `    ${line}`), '  },']),
    ...(json === undefined ? [] : [`  body: JSON.stringify(${literal(JSON.parse(json))}),`]),
    ...(hasPhoto === true ? [isForm ? '  body: form,' : "  body: await openAsBlob('photo.jpg'),"] : []),
  ];
  const call = init.length === 0 ? '' : `, {\n${init.join('\n')}\n}`;
  lines.push(`const response = await fetch(${quote(address)}${call});`);
  lines.push('if (!response.ok) throw new Error(await response.text());', ...renderResponseReading(route));
  return lines.join('\n');
};

const hasJson = ({ responses }: Route): boolean => Object.values(responses).some(({ schema }) => schema !== undefined);

/** True for methods whose response headers carry information even without a body. */
const hasUsefulHeaders = ({ method }: Route): boolean => ['head', 'options', 'post', 'patch'].includes(method);

/** Returns the lines that process the response. */
const renderResponseReading = (route: Route): string[] => {
  const { saveAs, isEndless = false } = route.example ?? {};
  if (saveAs !== undefined) return [`await writeFile('${saveAs}', await response.bytes());`];
  if (isEndless) return ['for await (const bytes of response.body ?? []) process.stdout.write(bytes);'];
  if (hasJson(route)) return ['console.log(await response.json());'];
  return hasUsefulHeaders(route) ? ['console.log(response.headers);'] : [];
};

/** Renders the example for Python 3 with the package `requests`. */
export const pythonSample = (route: Route): string => {
  const { method, address, headers, json, isForm } = toRequest(route);
  const { hasPhoto = false, isEndless = false } = route.example ?? {};
  const all = Object.entries(headers).map(([name, value]) => `"${name}": ${pythonText(value)}`);
  const options = [
    ...(all.length === 0 ? [] : [`headers=${formatLines(all, '{', '}')},`]),
    ...(route.auth === 'basic' ? ['auth=tuple(admin.split(":", 1)),'] : []),
    ...(json === undefined ? [] : [`json=${pythonValue(JSON.parse(json))},`]),
    ...(hasPhoto ? [isForm ? 'files={"file": open("photo.jpg", "rb")},' : 'data=open("photo.jpg", "rb"),'] : []),
    ...(isEndless ? ['stream=True,'] : []),
  ];
  const call =
    options.length === 0
      ? pythonText(address)
      : `\n${[`${pythonText(address)},`, ...options].map((line) => `    ${line}\n`).join('')}`;
  return [
    'import requests',
    '',
    `response = requests.${method.toLowerCase()}(${call})`,
    'response.raise_for_status()',
    ...readInPython(route),
  ].join('\n');
};

/** Renders a single entry on one line, or several entries on separate lines. */
const formatLines = (entries: readonly string[], open: string, close: string): string =>
  entries.length === 1
    ? `${open}${entries.join('')}${close}`
    : `${open}\n${entries.map((entry) => `        ${entry},\n`).join('')}    ${close}`;

const readInPython = (route: Route): readonly string[] => {
  const { saveAs, isEndless = false } = route.example ?? {};
  if (saveAs !== undefined) return [`with open("${saveAs}", "wb") as output:`, '    output.write(response.content)'];
  if (isEndless) return ['for line in response.iter_lines():', '    print(line.decode())'];
  if (hasJson(route)) return ['print(response.json())'];
  return hasUsefulHeaders(route) ? ['print(response.headers)'] : [];
};

/** Converts text to Python: an f-string if it contains variables, or the variable alone. */
const pythonText = (text: string): string => {
  const [, only] = /^\$([A-Z_]+)$/.exec(text) ?? [];
  if (only !== undefined) return only.toLowerCase();
  if (!text.includes('$')) return JSON.stringify(text);
  return `f${JSON.stringify(text.replaceAll(/\$([A-Z_]+)/g, (_, name: string) => `{${name.toLowerCase()}}`))}`;
};

const pythonValue = (value: unknown): string => {
  if (typeof value === 'string') return pythonText(value);
  if (Array.isArray(value)) return `[${value.map(pythonValue).join(', ')}]`;
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (value === null) return 'None';
  if (typeof value !== 'object') return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([name, each]) => `"${name}": ${pythonValue(each)}`)
    .join(', ')}}`;
};

/** Converts a variable such as `$REFRESH_TOKEN` to the constant `refreshToken`. */
export const toVariableName = (name: string): string =>
  name.toLowerCase().replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

/**
 * Converts text to TypeScript: a template literal if it contains variables, or the constant alone if it is only a
 * variable.
 */
const quote = (text: string): string => {
  const [, only] = /^\$([A-Z_]+)$/.exec(text) ?? [];
  if (only !== undefined) return toVariableName(only);
  if (!text.includes('$')) return `'${text}'`;
  return `\`${text.replaceAll(/\$([A-Z_]+)/g, (_, name: string) => `\${${toVariableName(name)}}`)}\``;
};

const literal = (value: unknown): string => {
  if (typeof value === 'string') return quote(value);
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (value === null || typeof value !== 'object') return String(value);
  return `{ ${Object.entries(value)
    .map(([name, each]) => `${name}: ${literal(each)}`)
    .join(', ')} }`;
};
