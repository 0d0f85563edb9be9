import type { V1LabelSelector } from '@kubernetes/client-node';

/** A label selector in the format of query strings. */
export const formatSelector = ({ matchLabels = {}, matchExpressions = [] }: V1LabelSelector): string =>
  [
    ...Object.entries(matchLabels).map(([key, value]) => `${key}=${value}`),
    ...matchExpressions.map(({ key, operator, values = [] }) => {
      switch (operator) {
        case 'In':
          return `${key} in (${values.join(',')})`;
        case 'NotIn':
          return `${key} notin (${values.join(',')})`;
        case 'Exists':
          return key;
        case 'DoesNotExist':
          return `!${key}`;
        default:
          // Ignoring the expression would select pods of other Deployments.
          throw new Error(`the label selector has the unknown operator ${operator}`);
      }
    }),
  ].join(',');
