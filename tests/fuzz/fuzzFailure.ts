/** A case whose response was not as documented, or a fault found at the end. The message says how to repeat it. */
export class FuzzFailure extends Error {
  constructor(seed: number, caseNumber: number | undefined, what: string) {
    const repeat = caseNumber === undefined ? `--seed ${seed}` : `--seed ${seed} --case ${caseNumber}`;
    super(`${what}\nrepeat it with: npm run fuzz -- ${repeat}`);
    this.name = 'FuzzFailure';
  }
}
