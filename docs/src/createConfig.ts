import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Options as RedirectOptions } from '@docusaurus/plugin-client-redirects';
import type { Options, ThemeConfig } from '@docusaurus/preset-classic';
import type { Config } from '@docusaurus/types';
import { repository } from '../package.json';
import keywords from '../keywords.json';
import versions from '../versions.json';
import { darkCode, lightCode } from './codeThemes';
import { drawnDiagrams } from './plugins/drawnDiagrams';
import { linksOutside } from './plugins/linksOutside';
import { pageSearch } from './plugins/pageSearch';
import { cardOf, socialCards } from './plugins/socialCards';
import { themedPictures } from './plugins/themedPictures';

/** Options of a site. Tests use them to build small sites with the same configuration. */
export interface SiteOptions {
  /** Folder of the pages under /docs, relative to the site. Default: its own pages. */
  readonly pages?: string;
  /** Id for page views in Google Analytics. Empty: no tracking. */
  readonly analyticsId?: string | undefined;
  /**
   * Version label, if only the pages of the tree are built. Otherwise they are the next version, listed with all
   * released ones.
   */
  readonly onlyVersion?: string | undefined;
}

/** Returns search terms for a page that its text does not contain. */
const keywordsOf = (page: string): readonly string[] | undefined =>
  Object.entries<readonly string[]>(keywords).find(([id]) => page.endsWith(`/docs/docs/${id}.md`))?.[1];

/**
 * Id of the announcement. A new id shows the bar to visitors who closed the former one: the script in `headTags` runs
 * before Docusaurus hides the bar.
 */
const announcementId = 'unreleased';

/** Dates of changes come from git, which a container image is built without. */
const hasHistory = existsSync(join(__dirname, '../../.git'));

export const createConfig = ({ pages, analyticsId, onlyVersion }: SiteOptions): Config => {
  const isWhole = pages === undefined;
  return {
    title: 'Hearth',
    tagline: 'A smarter home for all your photos and videos',
    url: 'https://docs.hearth.photos',
    baseUrl: '/',
    favicon: 'img/icon.svg',
    organizationName: 'hearth-photos',
    projectName: 'hearth',
    customFields: { analyticsId },
    baseUrlIssueBanner: false,
    headTags: [
      {
        tagName: 'script',
        attributes: {},
        innerHTML: `try{if(localStorage.getItem('docusaurus.announcement.id')!=='${announcementId}')localStorage.removeItem('docusaurus.announcement.dismiss')}catch{}`,
      },
    ],
    onBrokenLinks: 'throw',
    onBrokenAnchors: 'warn',
    i18n: { defaultLocale: 'en', locales: ['en'] },
    storage: { type: 'localStorage', namespace: false },
    future: {
      v4: { removeLegacyPostBuildHeadAttribute: true },
      // Without the persistent cache, which would reuse pages of another configuration.
      faster: {
        swcJsLoader: true,
        swcJsMinimizer: true,
        swcHtmlMinimizer: true,
        lightningCssMinimizer: true,
        mdxCrossCompilerCache: true,
        rspackBundler: true,
        rspackPersistentCache: false,
        ssgWorkerThreads: true,
        gitEagerVcs: true,
      },
    },
    // Plain Markdown, because the pages are also read in the repository: JSX-like text stays text.
    markdown: {
      format: 'detect',
      hooks: { onBrokenMarkdownLinks: 'warn', onBrokenMarkdownImages: 'throw' },
      parseFrontMatter: async (file) => {
        const parsed = await file.defaultParseFrontMatter(file);
        const card = isWhole ? cardOf(file.filePath) : undefined;
        const asked = isWhole ? keywordsOf(file.filePath) : undefined;
        return {
          ...parsed,
          frontMatter: {
            ...(card !== undefined && { image: card }),
            ...(asked !== undefined && { keywords: asked }),
            ...parsed.frontMatter,
          },
        };
      },
    },
    staticDirectories: isWhole ? ['static', 'generated/static'] : ['static'],
    clientModules: ['retryPageLoad.tsx', 'analytics.ts', 'closeMenus.ts'].map((file) => `./src/clientModules/${file}`),
    presets: [
      [
        'classic',
        {
          docs: {
            path: pages ?? 'docs',
            routeBasePath: isWhole ? 'docs' : '/',
            sidebarPath: isWhole ? './sidebars.ts' : false,
            beforeDefaultRemarkPlugins: [linksOutside, drawnDiagrams, themedPictures],
            lastVersion: 'current',
            disableVersioning: !isWhole,
            numberPrefixParser: false,
            ...(isWhole && {
              editUrl: ({ docPath }) => `${repository}/edit/main/docs/docs/${docPath}`,
              showLastUpdateTime: hasHistory,
              ...(onlyVersion !== undefined && { onlyIncludeVersions: ['current'] }),
              versions: {
                current: { label: onlyVersion ?? 'Next', banner: 'none' },
                ...(onlyVersion === undefined &&
                  Object.fromEntries(versions.map((version) => [version, { banner: 'none' }]))),
              },
            }),
          },
          blog: false,
          pages: isWhole ? { editUrl: `${repository}/edit/main/docs/` } : false,
          theme: { customCss: ['./src/css/custom.css', './src/css/api.css'] },
          sitemap: isWhole
            ? { lastmod: hasHistory ? 'date' : null, changefreq: null, priority: null, ignorePatterns: ['/search'] }
            : false,
        } satisfies Options,
      ],
    ],
    plugins: isWhole
      ? [
          socialCards,
          [
            '@docusaurus/plugin-content-docs',
            { id: 'api', path: 'generated/api', routeBasePath: 'api', sidebarPath: './generated/apiSidebar.json' },
          ],
          pageSearch,
          [
            '@docusaurus/plugin-client-redirects',
            {
              fromExtensions: ['html'],
              redirects: [
                { from: '/docs', to: '/docs/user-guide/introduction' },
                { from: '/docs/admin-guide/monitoring', to: '/docs/user-guide/monitoring' },
              ],
            } satisfies RedirectOptions,
          ],
          ['@docusaurus/plugin-content-pages', { id: 'generated', path: 'generated/pages', routeBasePath: '/' }],
        ]
      : [],
    themes: isWhole
      ? [
          [
            '@easyops-cn/docusaurus-search-local',
            {
              indexBlog: false,
              indexPages: true,
              docsRouteBasePath: ['/docs', '/api'],
              docsDir: ['docs', 'generated/api'],
              // Decisions and the changelog mention every subject, and would rank above the pages that answer a question.
              ignoreFiles: [/^docs\/decisions\b/, /^changelog/],
              language: ['en'],
              explicitSearchResultPath: true,
              searchBarShortcutHint: false,
            },
          ],
        ]
      : [],
    themeConfig: {
      image: cardOf('home'),
      colorMode: { defaultMode: 'light', disableSwitch: false, respectPrefersColorScheme: false },
      docs: { versionPersistence: 'localStorage', sidebar: { hideable: false, autoCollapseCategories: true } },
      tableOfContents: { minHeadingLevel: 2, maxHeadingLevel: 3 },
      announcementBar: {
        id: announcementId,
        content: 'Hearth is under active development: keep a second copy of your photos.',
        isCloseable: false,
      },
      navbar: {
        title: 'Hearth',
        logo: { alt: '', src: 'img/icon.svg', width: 32, height: 32 },
        hideOnScroll: true,
        items: isWhole
          ? [
              { type: 'doc', docId: 'dev-guide/introduction', label: 'Docs', position: 'left' },
              { to: '/api/', label: 'API', position: 'left' },
              { type: 'search', position: 'right' },
              // Docusaurus renders a dropdown with a single entry as a link, so this adds the changelog.
              {
                type: 'docsVersionDropdown',
                position: 'right',
                dropdownItemsAfter: [{ to: '/changelog', label: 'Changelog' }],
              },
              { type: 'localeDropdown', position: 'right' },
              { href: repository, label: 'Source', position: 'right' },
            ]
          : [],
      },
      footer: { style: 'light', links: [], copyright: 'Copyright © 2026 the authors of Hearth. Apache License 2.0.' },
      prism: { theme: lightCode, darkTheme: darkCode, additionalLanguages: ['bash', 'json', 'yaml'] },
    } satisfies ThemeConfig,
  };
};
