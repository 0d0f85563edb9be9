import Link from '@docusaurus/Link';
import Head from '@docusaurus/Head';
import { useLocation } from '@docusaurus/router';
import Layout from '@theme/Layout';
import { useEffect, useState, type ReactNode } from 'react';
import type { Found } from '../search/rankPages';
import { fetchIndexesByWorker, searchByWorker } from '../search/searchPages';

/** Maximum number of results. */
const maxResults = 50;

/** Characters of an excerpt, and those before its first match. */
const [excerptLength, excerptLead] = [200, 60];

/** Excerpt around the first match, with the matching words marked. */
const Excerpt = ({ text, tokens }: { readonly text: string; readonly tokens: readonly string[] }): ReactNode => {
  const words = tokens.map((token) => token.replaceAll(/\W/g, String.raw`\$&`)).join('|') || '(?!)';
  const word = new RegExp(String.raw`\b((?:${words})(?:s|d|ed|ing)?)\b`, 'i');
  const first = text.search(word);
  const start = first > excerptLead ? text.indexOf(' ', first - excerptLead) + 1 : 0;
  const excerpt = text.slice(start, start + excerptLength);
  return (
    <p>
      {start > 0 && '… '}
      {excerpt.split(word).map((part, index) => (index % 2 === 1 ? <mark key={index}>{part}</mark> : part))}
      {start + excerptLength < text.length && ' …'}
    </p>
  );
};

const Result = ({ found: { document, page, tokens } }: { readonly found: Found }): ReactNode => {
  const isSection = document.s !== undefined && document.s !== page.t;
  return (
    <article>
      <h2>
        <Link to={`${document.u}${document.h ?? ''}`}>
          {page.t}
          {isSection && `: ${document.s}`}
        </Link>
      </h2>
      {page.b !== undefined && page.b.length > 0 && <p className="searchPath">{page.b.join(' › ')}</p>}
      {document.t !== page.t && <Excerpt text={document.t} tokens={tokens} />}
    </article>
  );
};

const countPages = (count: number): string => {
  if (count === 0) return 'No pages found';
  return count === 1 ? '1 page found' : `${count} pages found`;
};

/** Replaces the page of the search plugin, which loses words that are typed quickly. */
export default function SearchPage(): ReactNode {
  const location = useLocation();
  const [words, setWords] = useState('');
  const [results, setResults] = useState<readonly Found[] | 'failed'>();
  const query = new URLSearchParams(location.search);
  const version = query.get('version') ?? '';

  useEffect(() => setWords(new URLSearchParams(location.search).get('q') ?? ''), [location.search]);

  // A failure shows with the first search.
  useEffect(() => void fetchIndexesByWorker(`/${version}`).catch(() => undefined), [version]);

  useEffect(() => {
    let isCurrent = true;
    const show = (found?: readonly Found[] | 'failed'): void => {
      if (isCurrent) setResults(found);
    };
    if (words.trim() === '') show();
    else searchByWorker(`/${version}`, '', words, maxResults).then(show, () => show('failed'));
    return () => {
      isCurrent = false;
    };
  }, [words, version]);

  const type = (typed: string): void => {
    setWords(typed);
    // Without the router, which would navigate at each key.
    const url = new URL(window.location.href);
    url.searchParams.set('q', typed);
    window.history.replaceState(window.history.state, '', url);
  };

  return (
    <Layout title={words === '' ? 'Search' : `Search: ${words}`}>
      <Head>
        <meta name="robots" content="noindex, follow" />
      </Head>
      <main className="container margin-vert--lg searchPage">
        <h1>Search the documentation</h1>
        <input
          type="search"
          aria-label="Search the documentation"
          value={words}
          onChange={({ target }) => type(target.value)}
          autoComplete="off"
          autoFocus
        />
        <p role="status">
          {results === 'failed' && 'The search failed to load. Reload the page.'}
          {Array.isArray(results) && countPages(results.length)}
        </p>
        {Array.isArray(results) &&
          (results as readonly Found[]).map((found) => <Result key={found.page.i} found={found} />)}
      </main>
    </Layout>
  );
}
