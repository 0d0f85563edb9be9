/** A case that was not answered as documented, or what was found at the end; the message says how to repeat it. */
export class FuzzFailure extends Error {
  constructor(seed: number, caseNumber: number | undefined, what: string) {
    const repeat = caseNumber === undefined ? `--seed ${seed}` : `--seed ${seed} --case ${caseNumber}`;
    super(`${what}\nrepeat it with: npm run fuzz -- ${repeat}`);
    this.name = 'FuzzFailure';
  }
}
