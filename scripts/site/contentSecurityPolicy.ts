import { createHash } from 'node:crypto';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Origins of Google Analytics, by directive. */
const analytics: Readonly<Record<string, string>> = {
  'script-src': 'https://*.googletagmanager.com',
  'img-src': 'https://*.google-analytics.com https://*.googletagmanager.com',
  'connect-src': 'https://*.google-analytics.com https://*.analytics.google.com https://*.googletagmanager.com',
};

/** Returns the policy of a page. Its inline scripts are allowed by their hashes. */
export const createPolicy = (html: string, hasAnalytics: boolean): string => {
  const scripts = [...html.matchAll(/<script(?![^>]*\s(?:src=|type="?application\/))[^>]*>([^]*?)<\/script>/g)];
  const hashes = scripts.map(([, code = '']) => `'sha256-${createHash('sha256').update(code).digest('base64')}'`);
  const directives: Readonly<Record<string, string>> = {
    'default-src': "'self'",
    'script-src': ["'self'", ...new Set(hashes)].join(' '),
    // Docusaurus and React render style attributes.
    'style-src': "'self' 'unsafe-inline'",
    'img-src': "'self' data:",
    'connect-src': "'self'",
    'object-src': "'none'",
    'base-uri': "'none'",
    'form-action': "'self'",
  };
  return Object.entries(directives)
    .map(([name, value]) => [name, value, ...(hasAnalytics ? [analytics[name] ?? []] : [])].flat().join(' '))
    .join('; ');
};

/** Adds the policy to every page of a built site, as an element, because any static host may serve it. */
export const addPolicies = (folder: string, hasAnalytics: boolean): void => {
  // Redirects are folders such as `introduction.html`.
  const files = globSync('**/*.html', { cwd: folder, withFileTypes: true }).filter((entry) => entry.isFile());
  for (const { parentPath, name } of files) {
    const file = join(parentPath, name);
    const html = readFileSync(file, 'utf8');
    const element = `<meta http-equiv="Content-Security-Policy" content="${createPolicy(html, hasAnalytics)}">`;
    writeFileSync(
      file,
      html.replace(/<meta charset="?utf-8"?>/i, (charset) => `${charset}${element}`),
    );
  }
};
