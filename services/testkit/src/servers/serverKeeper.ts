import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createInterface } from 'node:readline';

/*
 * Program that runs a temporary server until its standard input is closed. Arguments: a folder that is deleted at the end,
 * a file for the server's output, and the server's command line. For each line on standard input it starts the server and
 * prints `started <pid>`. When the server has ended, it prints `ended <pid> <exit code or signal>`.
 * The starting process holds the other end of the input pipe. The kernel closes it however that process ends, so a killed
 * test run leaves no server or files behind.
 */
const [directory = '', outputPath = '', program = '', ...args] = process.argv.slice(2);
let server: ChildProcess | undefined;

createInterface({ input: process.stdin })
  .on('line', () => {
    const output = openSync(outputPath, 'a');
    const started = spawn(program, args, { cwd: directory, stdio: ['ignore', output, output] });
    server = started;
    closeSync(output);
    process.stdout.write(`started ${started.pid}\n`);
    started.on('exit', (code, signal) => process.stdout.write(`ended ${started.pid} ${signal ?? code}\n`));
  })
  .on('close', () => {
    server?.kill('SIGKILL');
    // Retries, because the dying server may still write files for a moment.
    void rm(directory, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  });
process.stdin.on('error', () => undefined);
process.stdout.on('error', () => undefined);
