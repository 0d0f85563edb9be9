import type { SyntaxNode } from '@lezer/common';
import { parser } from '@prometheus-io/lezer-promql';

/** What an expression reads of one metric. */
export interface Read {
  readonly metric: string;
  /** The labels by which it selects series, with the values that it names one by one. */
  readonly matchers: readonly Matcher[];
}

/** A condition on a label. `values` are those that it names one by one, empty where it is a pattern. */
export interface Matcher {
  readonly label: string;
  readonly values: readonly string[];
}

/** What an expression of PromQL reads: metrics, and labels by which it groups or joins. */
export interface Reads {
  readonly metrics: readonly Read[];
  readonly labels: readonly string[];
}

/** @throws Error where it is no valid expression, with the place */
export const parsePromql = (expression: string): Reads => {
  const text = expression.replaceAll(/\$__(?:rate_interval|range)/g, '5m');
  const tree = parser.parse(text);
  const metrics: Read[] = [];
  const labels: string[] = [];
  tree.iterate({
    enter: ({ name, node, type, from }) => {
      if (type.isError) throw new Error(`invalid PromQL at ${from}: ${text}`);
      if (name === 'VectorSelector') metrics.push(readSelector(node, text));
      if (name === 'GroupingLabels') labels.push(...namesIn(node, 'LabelName', text));
    },
  });
  return { metrics, labels };
};

const readSelector = (node: SyntaxNode, text: string): Read => {
  const metric = node.getChild('Identifier');
  if (metric === null) throw new Error(`a selector without a metric: ${text}`);
  const list = node.getChild('LabelMatchers');
  const matchers = list?.getChildren('UnquotedLabelMatcher') ?? [];
  return { metric: textOf(metric, text), matchers: matchers.map((matcher) => readMatcher(matcher, text)) };
};

const readMatcher = (node: SyntaxNode, text: string): Matcher => {
  const value = textOf(node.getChild('StringLiteral')!, text).slice(1, -1);
  return {
    label: textOf(node.getChild('LabelName')!, text),
    // Alternatives that are plain words; anything else is a pattern, or a variable of Grafana.
    values: /^[\w./-]+(?:\|[\w./-]+)*$/.test(value) ? value.split('|') : [],
  };
};

const namesIn = (node: SyntaxNode, type: string, text: string): string[] =>
  node.getChildren(type).map((child) => textOf(child, text));

const textOf = ({ from, to }: SyntaxNode, text: string): string => text.slice(from, to);
