/** One instruction of a Dockerfile, with its continuation lines joined. */
export interface Instruction {
  /** In capitals, such as `COPY`. */
  readonly name: string;
  /** Options such as `--from=web`, by their names. */
  readonly options: Readonly<Record<string, string>>;
  /** What follows the options. */
  readonly text: string;
}

/** A part of a Dockerfile that begins with FROM. */
export interface Stage {
  /** What it begins with: an image, or an earlier stage. */
  readonly from: string;
  /** Its name, if it has one. */
  readonly name: string | undefined;
  readonly instructions: readonly Instruction[];
}

/** The instructions before the first stage, and the stages. Knows what our own Dockerfiles use, which is less than the format has. */
export const parseDockerfile = (
  text: string,
): { readonly before: readonly Instruction[]; readonly stages: readonly Stage[] } => {
  const before: Instruction[] = [];
  const stages: { from: string; name: string | undefined; instructions: Instruction[] }[] = [];
  for (const instruction of readInstructions(text)) {
    if (instruction.name === 'FROM') {
      const [from = '', name] = instruction.text.split(/\s+AS\s+/i);
      stages.push({ from, name, instructions: [] });
    } else {
      (stages.at(-1)?.instructions ?? before).push(instruction);
    }
  }
  return { before, stages };
};

const readInstructions = (text: string): Instruction[] =>
  text
    .replaceAll(/^\s*#.*\n/gm, '')
    .replaceAll(/\\\n/g, ' ')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [, name = '', options = '', rest = ''] = /^(\S+)\s+((?:--\S+\s+)*)(.*)$/.exec(line) ?? [];
      return { name: name.toUpperCase(), options: readOptions(options), text: rest.trim() };
    });

const readOptions = (text: string): Record<string, string> =>
  Object.fromEntries([...text.matchAll(/--([a-z]+)=(\S*)/g)].map(([, name = '', value = '']) => [name, value]));
