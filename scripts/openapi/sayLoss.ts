import { limits, type Limit, type Loss } from './findLosses.ts';

/** What a client that sends as it did will find; `%` stands for the request. */
export const inRequest = (loss: Loss): string => {
  const at = `\`${loss.at}\``;
  switch (loss.kind) {
    case 'missing':
      return `A client that calls % without ${at} will be refused.`;
    case 'unknown':
      return `A client that sends ${at} to % will be refused.`;
    case 'ignored':
      return `A client that sends ${at} to % will not be heard.`;
    case 'value':
      return `A client that sends ${JSON.stringify(loss.value)} as ${at} to % will be refused.`;
    case 'otherValues':
      return `A client that sends as ${at} to % anything but ${sayValues(loss.values)} will be refused.`;
    case 'type':
      return `A client that sends ${sayType(loss.type)} as ${at} to % will be refused: it has to be ${sayType(loss.expected)}.`;
    case 'limit':
      return `A client that sends ${at} ${sayBeyond(loss.keyword, loss.limit)} to % will be refused.`;
    case 'keyword':
      return `A client that sends ${at} to % as it did may be refused: another \`${loss.keyword}\` is asked for.`;
  }
};

/** What a client that reads as it did will find; `%` stands for the request. */
export const inAnswer = (loss: Loss, status: string): string => {
  const at = loss.at === '' ? 'the body' : `\`${loss.at}\``;
  const client = `A client that reads ${at} in the ${status} of %`;
  switch (loss.kind) {
    case 'missing':
      return `${client} no longer finds it always.`;
    case 'unknown':
    case 'ignored':
      return `${client} no longer finds it.`;
    case 'value':
      return `${client} may find ${JSON.stringify(loss.value)}, which it does not know.`;
    case 'otherValues':
      return `${client} may find more than ${sayValues(loss.values)}.`;
    case 'type':
      return `${client} may find ${sayType(loss.type)} where it knows ${sayType(loss.expected)}.`;
    case 'limit':
      return `${client} may find one ${sayBeyond(loss.keyword, loss.limit)}.`;
    case 'keyword':
      return `${client} may find another \`${loss.keyword}\` than it knows.`;
  }
};

const sayValues = (values: readonly unknown[]): string => values.map((value) => JSON.stringify(value)).join(', ');

const sayType = (type: string): string => (/^[aio]/.test(type) && type !== 'anything' ? `an ${type}` : named(type));

const named = (type: string): string => (type === 'null' || type === 'anything' ? type : `a ${type}`);

const units: Readonly<Record<string, string>> = { Length: ' characters', Items: ' entries', Properties: ' fields' };

/** What lies beyond a limit: `above 200`, `of more than 255 characters`. */
const sayBeyond = (keyword: Limit, limit: number): string => {
  const unit = units[keyword.slice(3)];
  if (unit === undefined) return `${limits[keyword] ? 'above' : 'below'} ${limit}`;
  return `of ${limits[keyword] ? 'more' : 'fewer'} than ${limit}${unit}`;
};
