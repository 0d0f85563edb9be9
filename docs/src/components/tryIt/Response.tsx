import { useEffect, useState, type ReactNode } from 'react';
import type { ShownResponse } from './sendRequest';

/** Status, body and headers of a response. */
export const Response = ({ response }: { readonly response: ShownResponse }): ReactNode => {
  const { status, headers, milliseconds, text, bytes } = response;
  return (
    <>
      <p>
        <strong>{status}</strong> in {milliseconds} ms
      </p>
      {text !== undefined && text !== '' && (
        <pre tabIndex={0}>
          <code>{text}</code>
        </pre>
      )}
      {bytes !== undefined && <SaveLink bytes={bytes} />}
      <details>
        <summary>Headers</summary>
        <pre tabIndex={0}>
          <code>{headers.map(([name, value]) => `${name}: ${value}`).join('\n')}</code>
        </pre>
      </details>
    </>
  );
};

const SaveLink = ({ bytes }: { readonly bytes: Blob }): ReactNode => {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    const created = URL.createObjectURL(bytes);
    setUrl(created);
    return () => URL.revokeObjectURL(created);
  }, [bytes]);
  return (
    <p>
      <a href={url} download="response">
        Save {bytes.size.toLocaleString('en')} bytes
      </a>{' '}
      ({bytes.type})
    </p>
  );
};
