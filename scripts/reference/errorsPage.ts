import { errorCodes, namedThings } from '@hearth/contract/errors.ts';
import { reasons, warnings } from '@hearth/contract/reasons.ts';
import { page, table } from './markdown.ts';

/** Renders the page with all API errors and the failure reasons of items. */
export const renderErrorsPage = (): string => {
  const errors = Object.entries(errorCodes).map(([code, { status, message }]) => [
    String(status),
    `\`${code}\``,
    message,
  ]);
  return page(
    'Errors',
    [
      'Every error of the API has one shape: `message` for people, `code` for programs, `requestId` for whoever reads the log, and with 400 always `errors`, which names each part of the request that is wrong.',
      'A code keeps its meaning for ever; messages may change. With 429 and 503 `Retry-After` says how many seconds to wait.',
    ],
    'npm run docs:reference',
    [
      '```json\n{\n  "message": "media item not found",\n  "code": "NOT_FOUND",\n  "requestId": "5f8b0c2e-6a0d-4a43-9a0e-0d4a5a0c6d11"\n}\n```',
      `## Answers\n\n${table(['status', 'code', 'message'], errors)}`,
      `What is not there is named: ${namedThings.map((thing) => `\`${thing}\``).join(', ')}. What belongs to somebody else is not there.`,
      `## Reasons\n\nWhy a step of an item's processing ended \`FAILED\`, \`SKIPPED\` or \`BLOCKED\`. The original is kept in every case. [What helps](../troubleshooting.md#reasons).\n\n${table(['reason', 'what it means'], sentences(reasons))}`,
      `## Warnings\n\nWorth knowing of an item that is shown all the same.\n\n${table(['warning', 'what it means'], sentences(warnings))}`,
    ],
  );
};

const sentences = (words: Readonly<Record<string, string>>) =>
  Object.entries(words).map(([word, sentence]) => [`\`${word}\``, sentence]);
