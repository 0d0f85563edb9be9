import { execFile, execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startHttpProxy, type HttpProxy } from '@hearth/testkit/hearth/httpProxy.ts';
import type { Credentials } from '@hearth/testkit/hearth/request.ts';
import { openForward, type Forward } from '../forward.ts';

/** Host name of the library in the guide. */
const publicName = 'photos.example.org';

/** The library at its public address, accessed with curl. Links of the API are used unchanged. */
export interface PublicAddress {
  readonly url: string;
  /** PEM files for the TLS Secret. */
  readonly certificate: { readonly cert: string; readonly key: string };
  /** Variables that make curl resolve the name and trust its certificate. */
  readonly variables: Readonly<Record<string, string>>;
  /** Starts a proxy in place of the ingress controller, which a test cluster may not have. */
  open(): Promise<void>;
  get(link: string, token?: string): Promise<Buffer>;
  getJson<Answer>(path: string, token?: string): Promise<Answer>;
  /** Returns an access token. */
  signIn(credentials: Credentials): Promise<string>;
  close(): Promise<void>;
}

/** Creates a certificate for the host name, and an address on a local port. */
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
      forward = await openForward(namespace, 'hearth-api', 80);
      const pem = { cert: readFileSync(certificate.cert, 'utf8'), key: readFileSync(certificate.key, 'utf8') };
      proxy = await startHttpProxy(`http://127.0.0.1:${forward.port}`, { certificate: pem, port });
    },
    get,
    getJson: async <Answer>(path: string, token?: string) =>
      JSON.parse((await get(`${url}${path}`, token)).toString()) as Answer,
    signIn: async ({ username, password }) => {
      const header = ['--header', 'Content-Type: application/json'];
      const response = await curl(...header, '--data', JSON.stringify({ username, password }), `${url}/v1/auth/login`);
      return (JSON.parse(response.toString()) as { accessToken: string }).accessToken;
    },
    close: async () => {
      forward?.close();
      await proxy?.close();
    },
  };
};
