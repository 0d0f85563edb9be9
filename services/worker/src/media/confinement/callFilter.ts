/**
 * A program for the kernel (seccomp(2), "Filters") that refuses new sockets and what can make them otherwise, and with modes, owners, times and
 * attributes of files what Landlock leaves to everybody, for every path; with EPERM. Undefined on machines whose numbers of system calls are not listed here. What a child has inherited, its channel to the worker, goes on working.
 */
export function makeCallFilter(arch: string): Buffer | undefined {
  const machine = machines[arch];
  if (machine === undefined) return undefined;
  const refuse = machine.refused.map((call, i) => jumpIfEqual(call, machine.refused.length - i, 0));
  return Buffer.concat([
    // Another machine's calls have other numbers: a 32-bit program is ended.
    load(archOffset),
    jumpIfEqual(machine.audit, 1, 0),
    answer(killProcess),
    load(callOffset),
    ...(machine.x32 ? [jumpIfAtLeast(0x4000_0000, machine.refused.length + 1, 0)] : []),
    ...refuse,
    answer(allowed),
    answer(refusedWith(eperm)),
  ]);
}

/** Where things stand in the kernel's `seccomp_data`. */
const [callOffset, archOffset] = [0, 4] as const;

const killProcess = 0x8000_0000;
const allowed = 0x7fff_0000;
const refusedWith = (error: number): number => 0x0005_0000 + error;
const eperm = 1;

/** The same on all machines: io_uring_setup, pidfd_getfd, fchmodat2, setxattrat, removexattrat and file_setattr. */
const newerCalls = [425, 438, 452, 463, 466, 469] as const;

/**
 * `AUDIT_ARCH_…` and the numbers of socket and socketpair; of chmod and chown, utime, setxattr and removexattr, each with its variants (Linux's
 * `asm/unistd_64.h` and `asm-generic/unistd.h`).
 */
const machines: Readonly<
  Record<string, { readonly audit: number; readonly x32: boolean; readonly refused: readonly number[] }>
> = {
  x64: {
    audit: 0xc000_003e,
    x32: true,
    refused: [41, 53, 90, 91, 268, 92, 93, 94, 260, 132, 235, 261, 280, 188, 189, 190, 197, 198, 199, ...newerCalls],
  },
  arm64: {
    audit: 0xc000_00b7,
    x32: false,
    refused: [198, 199, 52, 53, 54, 55, 88, 5, 6, 7, 14, 15, 16, ...newerCalls],
  },
};

/** An instruction of classic BPF: what it does, where it jumps if its condition holds or does not, its operand. */
function instruction(code: number, ifTrue: number, ifFalse: number, operand: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt16LE(code, 0);
  bytes.writeUInt8(ifTrue, 2);
  bytes.writeUInt8(ifFalse, 3);
  bytes.writeUInt32LE(operand >>> 0, 4);
  return bytes;
}

const load = (offset: number): Buffer => instruction(0x20, 0, 0, offset);
const jumpIfEqual = (value: number, ifTrue: number, ifFalse: number): Buffer =>
  instruction(0x15, ifTrue, ifFalse, value);
const jumpIfAtLeast = (value: number, ifTrue: number, ifFalse: number): Buffer =>
  instruction(0x35, ifTrue, ifFalse, value);
const answer = (value: number): Buffer => instruction(0x06, 0, 0, value);
