/** An instruction of a Dockerfile, with continuation lines joined. */
export interface Instruction {
  /** In upper case, such as `COPY`. */
  readonly name: string;
  /** Options by name, such as `--from=web`. */
  readonly options: Readonly<Record<string, string>>;
  /** Text after the options. */
  readonly text: string;
}

/** A build stage, which starts with FROM. */
export interface Stage {
  /** Base image, or the name of an earlier stage. */
  readonly from: string;
  readonly name: string | undefined;
  readonly instructions: readonly Instruction[];
}

/** Returns the instructions before the first stage, and the stages. Supports only the syntax of our own Dockerfiles. */
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
