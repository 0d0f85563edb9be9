/** Trusted Types of Chromium. Other browsers accept plain URLs. */
interface PolicyFactory {
  readonly createPolicy: (
    name: string,
    rules: { readonly createScriptURL: (address: string) => string },
  ) => { readonly createScriptURL: (address: string) => string };
}

const { trustedTypes } = globalThis as { trustedTypes?: PolicyFactory };

/** @throws TypeError for a URL of another origin: scripts must come from the server of this page */
const requireSameOrigin = (address: string): string => {
  const { origin, href } = new URL(address, location.href);
  if (origin !== location.origin) throw new TypeError(`Scripts must come from ${location.origin}, not from ${origin}`);
  return href;
};

/** The only policy that the Content-Security-Policy allows. Permits scripts of this origin, and no HTML. */
const policy = trustedTypes?.createPolicy('hearth', { createScriptURL: requireSameOrigin });

/**
 * Returns the URL of a worker or service worker, as the browser accepts it under Trusted Types.
 *
 * @throws TypeError for a URL of another origin
 */
export const trustedScriptUrl = (address: string | URL): string =>
  policy === undefined ? requireSameOrigin(String(address)) : policy.createScriptURL(String(address));
