/** What Chromium offers; other browsers have no Trusted Types and take the address as it is. */
interface PolicyFactory {
  readonly createPolicy: (
    name: string,
    rules: { readonly createScriptURL: (address: string) => string },
  ) => { readonly createScriptURL: (address: string) => string };
}

const { trustedTypes } = globalThis as { trustedTypes?: PolicyFactory };

/** @throws TypeError for an address of another origin: code comes from the server of this page alone. */
const ownScript = (address: string): string => {
  const { origin, href } = new URL(address, location.href);
  if (origin !== location.origin) throw new TypeError(`${origin} is not where scripts of this page come from.`);
  return href;
};

/** The only policy that the Content-Security-Policy allows; it lets workers of this origin through, and no markup at all. */
const policy = trustedTypes?.createPolicy('hearth', { createScriptURL: ownScript });

/**
 * The address of a worker or service worker as the browser accepts it under Trusted Types.
 *
 * @throws TypeError for an address of another origin.
 */
export const trustedScriptUrl = (address: string | URL): string =>
  policy === undefined ? ownScript(String(address)) : policy.createScriptURL(String(address));
