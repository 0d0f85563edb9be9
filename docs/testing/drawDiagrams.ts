import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { headlessOptions } from '@hearth/testkit/servers/chromium.ts';
import { toolPath } from '@hearth/testkit/run/tools.ts';
import { chromium } from 'playwright-core';
import { diagramFile, diagramFolder } from '../src/plugins/diagramFiles.mts';
import { installSite, siteFolder } from '@hearth/scripts/site/installSite.ts';
import { listBlocks } from '@hearth/testkit/run/guidePages.ts';

/* npm run docs:diagrams: renders the Mermaid diagrams of all pages, light and dark, and deletes unused ones. */
const pages = join(siteFolder, 'docs');
const folder = join(pages, diagramFolder);

const themes = {
  light: { page: '#fbfaf8', text: '#1f1b17', box: '#f2efeb', line: '#645c53', accent: '#a3410a' },
  dark: { page: '#161412', text: '#ece6df', box: '#2b2723', line: '#b0a69a', accent: '#ff9b66' },
} as const;

const optionsOf = ({ page, text, box, line, accent }: (typeof themes)[keyof typeof themes]) => ({
  startOnLoad: false,
  theme: 'base',
  htmlLabels: false,
  deterministicIds: true,
  fontFamily: 'system-ui, sans-serif',
  // Narrow, to fit a phone with legible text.
  flowchart: { nodeSpacing: 10, rankSpacing: 24, padding: 6, wrappingWidth: 150 },
  sequence: {
    width: 104,
    actorMargin: 16,
    boxMargin: 4,
    noteMargin: 6,
    messageMargin: 28,
    wrap: true,
    diagramMarginX: 4,
  },
  state: { padding: 6, nodeSpacing: 16, rankSpacing: 32 },
  themeVariables: {
    background: page,
    textColor: text,
    primaryColor: box,
    primaryTextColor: text,
    primaryBorderColor: accent,
    secondaryColor: page,
    tertiaryColor: page,
    tertiaryTextColor: text,
    tertiaryBorderColor: line,
    lineColor: line,
    titleColor: text,
    clusterBkg: page,
    clusterBorder: line,
    edgeLabelBackground: page,
    noteBkgColor: box,
    noteTextColor: text,
    noteBorderColor: line,
    actorBkg: box,
    actorTextColor: text,
    actorBorder: accent,
    actorLineColor: line,
    signalColor: line,
    signalTextColor: text,
    labelColor: text,
    transitionColor: line,
    transitionLabelColor: text,
    stateLabelColor: text,
    specialStateColor: line,
  },
});

interface Mermaid {
  initialize(options: object): void;
  render(id: string, code: string): Promise<{ readonly svg: string }>;
}

installSite();
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const browser = await chromium.launch({ executablePath: toolPath('chromium'), args: [...headlessOptions] });
try {
  const page = await browser.newPage();
  await page.setContent('<!doctype html><body></body>');
  await page.addScriptTag({ path: join(siteFolder, 'node_modules/mermaid/dist/mermaid.min.js') });
  for (const file of globSync('**/*.md', { cwd: pages }).toSorted())
    for (const { language, code } of listBlocks(readFileSync(join(pages, file), 'utf8'))) {
      if (language !== 'mermaid') continue;
      for (const theme of ['light', 'dark'] as const) {
        const svg = await page.evaluate(
          async ({ source, options }) => {
            const { mermaid } = window as unknown as { mermaid: Mermaid };
            mermaid.initialize(options);
            return (await mermaid.render('diagram', source)).svg;
          },
          // Diagrams grow down on the site, where columns are narrow. The repository has more space.
          { source: code.replace(/^(flowchart|\s*direction) LR$/gm, '$1 TB'), options: optionsOf(themes[theme]) },
        );
        writeFileSync(join(folder, diagramFile(code, theme)), withSize(svg, themes[theme].page));
      }
      process.stdout.write(`drew ${diagramFile(code, 'light')} of ${file}\n`);
    }
} finally {
  await browser.close();
}

/** Adds a size in pixels, which images need, and a background. */
function withSize(svg: string, ground: string): string {
  const [, width = '', height = ''] = /viewBox="\S+ \S+ (\S+) (\S+)"/.exec(svg) ?? [];
  const size = [width, height].map((each) => Math.ceil(Number(each)));
  return `${svg
    // Rounds to hundredths of a pixel.
    .replaceAll(/\d+\.\d{3,}/g, (number) => String(Math.round(Number(number) * 100) / 100))
    .replace(/ width="100%"/, ` width="${size[0]}" height="${size[1]}"`)
    .replace(/style="[^"]*max-width:[^"]*"/, `style="background-color: ${ground};"`)}\n`;
}
