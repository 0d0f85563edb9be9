import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { SidebarsConfig } from '@docusaurus/plugin-content-docs';
import userGuide from './userGuide.json';

/** The decision records, by file name. */
const decisions = readdirSync(join(__dirname, 'docs/decisions'))
  .filter((name) => name.endsWith('.md') && name !== 'README.md')
  .toSorted()
  .map((name) => `decisions/${name.replace(/\.md$/, '')}`);

const sidebars: SidebarsConfig = {
  userGuide: userGuide as SidebarsConfig[string],
  devGuide: [
    {
      type: 'category',
      label: 'Developer guide',
      collapsible: false,
      link: { type: 'generated-index', slug: '/dev-guide', description: 'Understand the code and change it.' },
      items: [
        'dev-guide/introduction',
        'dev-guide/contribution',
        'dev-guide/environment',
        'dev-guide/commands',
        'dev-guide/folder-structure',
        'dev-guide/design-document',
        'dev-guide/roadmap',
        'dev-guide/notes',
        'dev-guide/glossary',
        {
          type: 'category',
          label: 'Internals',
          items: [
            'components',
            'models',
            'search',
            'metadata',
            'photo-formats',
            'accounts',
            'database',
            'processes',
            'asvs',
          ].map((name) => `dev-guide/${name}`),
        },
        {
          type: 'category',
          label: 'Operation and tests',
          items: ['operator', 'images', 'releases', 'cluster-tests', 'load-tests', 'benchmarks', 'media-report'].map(
            (name) => `dev-guide/${name}`,
          ),
        },
        {
          type: 'category',
          label: 'Decisions',
          link: { type: 'doc', id: 'decisions/README' },
          items: decisions,
        },
        { type: 'link', label: 'Changelog', href: '/changelog' },
      ],
    },
  ],
};

export default sidebars;
