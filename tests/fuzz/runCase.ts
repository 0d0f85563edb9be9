import { exchange, type Message } from './exchange.ts';
import type { HttpAnswer } from './httpBytes.ts';
import type { FuzzedInstallation } from './installation.ts';
import { findFault, findRoute, isForPage, isPage } from './judge.ts';
import type { Random } from '@hearth/testkit/run/seededRandom.ts';
import { makeNoise, makeRequest } from './requestCase.ts';
import type { Fixtures } from './fixtures.ts';
import { makeUpload } from './uploadCase.ts';

/** The answers to one case. */
export interface CaseOutcome {
  /** 0 stands for a connection that was closed without an answer. */
  readonly statuses: readonly number[];
  /** The item that an upload has made or found. */
  readonly acceptedId: string | undefined;
}

/** Four in ten cases are uploads, five requests, one is noise. */
const makers = [
  ...Array<typeof makeUpload>(4).fill(makeUpload),
  ...Array<typeof makeUpload>(5).fill(makeRequest),
  makeNoise,
];

/**
 * Makes a case, sends it and judges the answers.
 * @throws Error with the bytes sent, where an answer is not as documented, is missing, or a process has ended
 */
export const runCase = async (
  installation: FuzzedInstallation,
  fixtures: Fixtures,
  random: Random,
): Promise<CaseOutcome> => {
  const make = random.pick(makers);
  const message = make(random, fixtures);
  try {
    const answers = await exchange(installation.url, message);
    const statuses = judge(message, answers);
    const died = installation.died();
    if (died !== undefined) throw new Error(`${died}, at the latest after this case`);
    return { statuses, acceptedId: make === makeUpload ? findAcceptedId(answers) : undefined };
  } catch (error) {
    const sent = JSON.stringify(message.bytes.subarray(0, 1_500).toString('latin1'));
    throw new Error(`${(error as Error).message}\nsent: ${sent}`, { cause: error });
  }
};

/** Judges all answers. Only the first one surely belongs to the route in the request line: damaged bytes after the first request may be read as another one. */
const judge = ({ bytes, isWhole, vanishAfter }: Message, answers: readonly HttpAnswer[]): number[] => {
  const isHead = bytes.subarray(0, 5).toString() === 'HEAD ';
  const route = findRoute(bytes);
  const final = answers.filter(({ status }) => status >= 200);
  for (const answer of answers) {
    const isFirst = answer === final[0] || answer.status < 200;
    if (isFirst && route === undefined && isForPage(bytes) && isPage(answer)) continue;
    const fault = findFault(isFirst ? route : undefined, answer, isHead);
    if (fault !== undefined) throw new Error(`${fault}: ${answer.status} ${answer.body.subarray(0, 1_000).toString()}`);
  }
  if (final.length === 0 && isWhole && vanishAfter === undefined) throw new Error('no answer');
  return final.length === 0 ? [0] : final.map(({ status }) => status);
};

const findAcceptedId = (answers: readonly HttpAnswer[]): string | undefined => {
  const accepted = answers.find(({ status }) => status === 200 || status === 201);
  return accepted && (JSON.parse(accepted.body.toString()) as { id: string }).id;
};
