import type { SyntaxNode } from '@lezer/common';
import { parser } from '@prometheus-io/lezer-promql';

/** A metric in an expression. */
export interface Read {
  readonly metric: string;
  /** Label matchers of its selector. */
  readonly matchers: readonly Matcher[];
}

/** A label matcher. `values` lists the alternatives, and is empty for a pattern. */
export interface Matcher {
  readonly label: string;
  readonly values: readonly string[];
}

/** Metrics of an expression, and its grouping and join labels. */
export interface Reads {
  readonly metrics: readonly Read[];
  readonly labels: readonly string[];
}

/** @throws Error with the position if the expression is invalid */
export const parsePromql = (expression: string): Reads => {
  const text = expression.replaceAll(/\$__(?:rate_interval|range)/g, '5m');
  const tree = parser.parse(text);
  const metrics: Read[] = [];
  const labels: string[] = [];
  tree.iterate({
    enter: ({ name, node, type, from }) => {
      if (type.isError) throw new Error(`invalid PromQL at ${from}: ${text}`);
      if (name === 'VectorSelector') metrics.push(readSelector(node, text));
      if (name === 'GroupingLabels') labels.push(...listNames(node, 'LabelName', text));
    },
  });
  return { metrics, labels };
};

const readSelector = (node: SyntaxNode, text: string): Read => {
  const metric = node.getChild('Identifier');
  if (metric === null) throw new Error(`a selector without a metric: ${text}`);
  const list = node.getChild('LabelMatchers');
  const matchers = list?.getChildren('UnquotedLabelMatcher') ?? [];
  return { metric: getText(metric, text), matchers: matchers.map((matcher) => readMatcher(matcher, text)) };
};

const readMatcher = (node: SyntaxNode, text: string): Matcher => {
  const value = getText(node.getChild('StringLiteral')!, text).slice(1, -1);
  return {
    label: getText(node.getChild('LabelName')!, text),
    // Alternatives of plain words. Anything else is a pattern or a Grafana variable.
    values: /^[\w./-]+(?:\|[\w./-]+)*$/.test(value) ? value.split('|') : [],
  };
};

const listNames = (node: SyntaxNode, type: string, text: string): string[] =>
  node.getChildren(type).map((child) => getText(child, text));

const getText = ({ from, to }: SyntaxNode, text: string): string => text.slice(from, to);
