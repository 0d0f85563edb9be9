/**
 * Builds a seccomp filter (seccomp(2), "Filters") for processes that open untrusted files. It denies with EPERM what none of them needs:
 * - new sockets, and other calls that can create them
 * - modes, owners, times and attributes of files, which Landlock does not restrict; folders and links
 * - allocation beyond the end of a file, which is exempt from limits on the file's length
 * - processes: only threads can be started, so killing the process ends everything
 * - memory that is not accounted to the process; the memory of other processes; namespaces, mounts, keys and programs for the kernel
 * Undefined on architectures whose system call numbers are not listed here. Inherited descriptors, such as the channel to the worker, keep working.
 */
export function makeCallFilter(arch: string): Buffer | undefined {
  const machine = machines[arch];
  if (machine === undefined) return undefined;
  const denied = [...machine.denied.flat(), ...newerCalls];
  // Distance to the denial: the rest of the list, the three checks after it and the permission.
  const denials = denied.map((call, i) => jumpIfEqual(call, denied.length - i + 3, 0));
  return Buffer.concat([
    // Kills programs of another architecture, such as 32-bit ones, because their system calls have other numbers.
    load(archOffset),
    jumpIfEqual(machine.audit, 1, 0),
    returnAction(killAction),
    load(callOffset),
    ...(machine.x32 ? [jumpIfAtLeast(0x4000_0000, denied.length + 4, 0)] : []),
    ...denials,
    jumpIfEqual(machine.clone, 5, 0),
    // The arguments of clone3 are in memory, which a filter cannot read. After ENOSYS, C libraries assume an old kernel and use `clone`.
    jumpIfEqual(clone3, 3, 0),
    jumpIfEqual(machine.ioctl, 7, 0),
    returnAction(allowAction),
    returnAction(returnError(eperm)),
    returnAction(returnError(enosys)),
    load(flagsOffset),
    jumpIfAnySet(threadFlag, 0, 1),
    returnAction(allowAction),
    returnAction(returnError(eperm)),
    load(commandOffset),
    and(0xff00),
    jumpIfEqual(fileSystemCommands, 0, 1),
    returnAction(returnError(eperm)),
    returnAction(allowAction),
  ]);
}

/**
 * Offsets of fields in the kernel's `seccomp_data`: call, architecture, and the lower halves of the first two arguments on little-endian machines.
 */
const [callOffset, archOffset, flagsOffset, commandOffset] = [0, 4, 16, 24] as const;

const killAction = 0x8000_0000;
const allowAction = 0x7fff_0000;
const returnError = (error: number): number => 0x0005_0000 + error;
const [eperm, enosys] = [1, 38] as const;

/** `CLONE_THREAD` (clone(2)). */
const threadFlag = 0x1_0000;
const clone3 = 435;

/** Type of the XFS commands that all file systems support (ioctl(2)). Some of them allocate like fallocate. */
const fileSystemCommands = 'X'.charCodeAt(0) << 8;

/**
 * The same on all architectures: io_uring_setup, open_tree, move_mount, fsopen, pidfd_getfd, mount_setattr, memfd_secret, fchmodat2, setxattrat,
 * removexattrat and file_setattr.
 */
const newerCalls = [425, 428, 429, 430, 438, 442, 447, 452, 463, 466, 469] as const;

/** Denied system calls of each architecture, grouped by purpose (Linux's `asm/unistd_64.h` and `asm-generic/unistd.h`). */
const machines: Readonly<
  Record<
    string,
    {
      readonly audit: number;
      readonly x32: boolean;
      readonly clone: number;
      readonly ioctl: number;
      readonly denied: readonly (readonly number[])[];
    }
  >
> = {
  x64: {
    // `AUDIT_ARCH_X86_64`
    audit: 0xc000_003e,
    x32: true,
    clone: 56,
    ioctl: 16,
    denied: [
      // socket, socketpair
      [41, 53],
      // chmod, chown, utime, setxattr and removexattr, each with its variants
      [90, 91, 268, 92, 93, 94, 260, 132, 235, 261, 280, 188, 189, 190, 197, 198, 199],
      // mkdir, link, symlink and mknod, each with its variant
      [83, 258, 86, 265, 88, 266, 133, 259],
      // fallocate
      [285],
      // fork, vfork
      [57, 58],
      // shmget, msgget, mq_open, memfd_create
      [29, 68, 240, 319],
      // ptrace, process_vm_readv, process_vm_writev
      [101, 310, 311],
      // unshare, setns, mount, umount2, pivot_root
      [272, 308, 165, 166, 155],
      // add_key, request_key, keyctl, bpf, perf_event_open, userfaultfd
      [248, 249, 250, 321, 298, 323],
    ],
  },
  // The same calls in the same order, without the older variants that arm64 lacks, such as fork.
  arm64: {
    audit: 0xc000_00b7,
    x32: false,
    clone: 220,
    ioctl: 29,
    denied: [
      [198, 199],
      [52, 53, 54, 55, 88, 5, 6, 7, 14, 15, 16],
      [34, 37, 36, 33],
      [47],
      [194, 186, 180, 279],
      [117, 270, 271],
      [97, 268, 40, 39, 41],
      [217, 218, 219, 280, 241, 282],
    ],
  },
};

/** Encodes an instruction of classic BPF: opcode, jump offsets if its condition is true or false, operand. */
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
const and = (bits: number): Buffer => instruction(0x54, 0, 0, bits);
const jumpIfAnySet = (bits: number, ifTrue: number, ifFalse: number): Buffer =>
  instruction(0x45, ifTrue, ifFalse, bits);
const returnAction = (value: number): Buffer => instruction(0x06, 0, 0, value);
