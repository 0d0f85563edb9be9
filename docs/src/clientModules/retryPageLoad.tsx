import preload from '@docusaurus/core/lib/client/preload.js';
import { createRoot } from 'react-dom/client';

/*
 * Where the files of a page cannot be loaded, since the connection is gone or the site was built anew meanwhile, Docusaurus leaves the page as it was
 * drawn by the build, in which nothing can be clicked, and says nothing. This says so, and offers another try. On the way from one page to another
 * Docusaurus loads the document anew in this case, so this is the only place where it can be met.
 */

const offerRetry = (): void => {
  const element = document.body.appendChild(document.createElement('div'));
  createRoot(element).render(
    <div className="loadError" role="alert">
      This page could not be loaded.
      <button type="button" className="button button--primary" onClick={() => window.location.reload()}>
        Retry
      </button>
    </div>,
  );
};

if (typeof window !== 'undefined') preload(window.location.pathname).catch(offerRetry);
