import { execFile, execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startHttpProxy, type HttpProxy } from '@hearth/testkit/hearth/httpProxy.ts';
import type { Credentials } from '@hearth/testkit/hearth/request.ts';
import { forwardTo, type Forward } from '../forward.ts';

/** The name that the pages give the library. */
const publicName = 'photos.example.org';

/** The library by the address that people use, asked as they ask it: by curl, and its links as they are. */
export interface PublicAddress {
  readonly url: string;
  /** PEM files, of which the page makes a Secret. */
  readonly certificate: { readonly cert: string; readonly key: string };
  /** Variables by which curl finds the name, and trusts its certificate. */
  readonly variables: Readonly<Record<string, string>>;
  /** Takes the part of the ingress controller in front of the Service of the API, which the cluster of a test need not have. */
  open(): Promise<void>;
  get(link: string, token?: string): Promise<Buffer>;
  getJson<Answer>(path: string, token?: string): Promise<Answer>;
  /** An access token. */
  signIn(credentials: Credentials): Promise<string>;
  close(): Promise<void>;
}

/** Makes a certificate for the name, and an address with a port of this machine. */
export const makePublicAddress = (folder: string, port: number, namespace: string): PublicAddress => {
  const certificate = { cert: join(folder, 'tls.crt'), key: join(folder, 'tls.key') };
  const subject = ['-subj', `/CN=${publicName}`, '-addext', `subjectAltName=DNS:${publicName}`];
  const files = ['-keyout', certificate.key, '-out', certificate.cert];
  const kind = ['-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2'];
  execFileSync('openssl', ['req', ...kind, ...subject, ...files], { stdio: 'pipe' });
  writeFileSync(
    join(folder, '.curlrc'),
    `cacert = "${certificate.cert}"\nresolve = "${publicName}:${port}:127.0.0.1"\n`,
  );
  const variables = { CURL_HOME: folder };
  const url = `https://${publicName}:${port}`;
  let proxy: HttpProxy | undefined;
  let forward: Forward | undefined;
  const curl = async (...args: readonly string[]): Promise<Buffer> => {
    const options = { env: { ...process.env, ...variables }, maxBuffer: 2 ** 28, encoding: 'buffer' } as const;
    const always = ['--silent', '--show-error', '--fail-with-body', '--max-time', '60'];
    return (await promisify(execFile)('curl', [...always, ...args], options)).stdout;
  };
  const get = (link: string, token?: string): Promise<Buffer> =>
    curl(...(token === undefined ? [] : ['--header', `Authorization: Bearer ${token}`]), link);
  return {
    url,
    certificate,
    variables,
    open: async () => {
      forward = await forwardTo(namespace, 'hearth-api', 80);
      const pem = { cert: readFileSync(certificate.cert, 'utf8'), key: readFileSync(certificate.key, 'utf8') };
      proxy = await startHttpProxy(`http://127.0.0.1:${forward.port}`, { certificate: pem, port });
    },
    get,
    getJson: async <Answer>(path: string, token?: string) =>
      JSON.parse((await get(`${url}${path}`, token)).toString()) as Answer,
    signIn: async ({ username, password }) => {
      const header = ['--header', 'Content-Type: application/json'];
      const answer = await curl(...header, '--data', JSON.stringify({ username, password }), `${url}/v1/auth/login`);
      return (JSON.parse(answer.toString()) as { accessToken: string }).accessToken;
    },
    close: async () => {
      forward?.close();
      await proxy?.close();
    },
  };
};
