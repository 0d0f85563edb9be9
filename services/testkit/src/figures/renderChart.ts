import * as vega from 'vega';
import { compile, type TopLevelSpec } from 'vega-lite';

export type Theme = 'light' | 'dark';

/** Colours of the site, and one for each series. */
export const themes = {
  light: { page: '#fbfaf8', text: '#1f1b17', line: '#dcd5cb', series: ['#a3410a', '#2f6f8f', '#5d6b1e'] },
  dark: { page: '#161412', text: '#ece6df', line: '#463f38', series: ['#ff9b66', '#7cc0e0', '#c3d474'] },
} as const satisfies Record<Theme, object>;

// Without a canvas, Vega assumes 0.8 em per letter. This value fits a sans-serif font, and gives the same result on every machine.
const { textMetrics } = vega as unknown as {
  readonly textMetrics: { width: (item: { readonly fontSize?: number }, text: unknown) => number };
};
textMetrics.width = ({ fontSize = 11 }, text) => String(text).length * fontSize * 0.55;

/**
 * Renders a Vega-Lite chart as SVG, in the colours of the site.
 * @param spec https://vega.github.io/vega-lite/docs/spec.html; the package's type accepts no `readonly` arrays
 */
export const renderChart = (spec: Readonly<Record<string, unknown>>, theme: Theme = 'light'): Promise<string> => {
  const { page, text, line, series } = themes[theme];
  const themed = {
    background: page,
    padding: 14,
    ...spec,
    config: {
      font: 'system-ui, sans-serif',
      view: { stroke: null },
      title: { color: text, fontSize: 16, anchor: 'start', frame: 'bounds', offset: 12 },
      axis: {
        labelColor: text,
        titleColor: text,
        labelFontSize: 12,
        titleFontSize: 12,
        titleFontWeight: 'normal',
        titlePadding: 10,
        labelLimit: 0,
        labelFlush: false,
        gridColor: line,
        domain: false,
        ticks: false,
      },
      legend: {
        labelColor: text,
        labelFontSize: 12,
        title: null,
        orient: 'top',
        layout: { top: { anchor: 'end', direction: 'horizontal', margin: 16 } },
        labelLimit: 0,
        symbolStrokeWidth: 3,
      },
      range: { category: [...series] },
      mark: { color: text },
      text: { fill: text },
    },
  };
  const { spec: compiled } = compile(themed as unknown as TopLevelSpec);
  return new vega.View(vega.parse(compiled), { renderer: 'none' }).toSVG();
};
