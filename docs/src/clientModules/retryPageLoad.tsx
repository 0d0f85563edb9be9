import preload from '@docusaurus/core/lib/client/preload.js';
import { createRoot } from 'react-dom/client';

/*
 * Shows a retry button when the files of a page fail to load, because the connection is lost or the site was rebuilt.
 * Docusaurus would silently leave the prerendered page without interactivity. This also covers navigation between
 * pages, because Docusaurus then reloads the document.
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
