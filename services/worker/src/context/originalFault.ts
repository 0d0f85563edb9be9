/** Why a stored original cannot be used, as the reason of a run. */
export type OriginalFault = 'ORIGINAL_DAMAGED' | 'ORIGINAL_MISSING';

/** The stored original is damaged or missing. Uploading it again repairs it. */
export class OriginalFaultError extends Error {
  readonly fault: OriginalFault;

  constructor(fault: OriginalFault) {
    super(`the stored original cannot be used: ${fault}`);
    this.name = 'OriginalFaultError';
    this.fault = fault;
  }
}
