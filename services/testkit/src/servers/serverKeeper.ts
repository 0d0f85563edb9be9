import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createInterface } from 'node:readline';

/*
 * A program: runs a throwaway server that lives as long as this program's standard input is open. Its arguments are the folder that
 * is removed at the end, the file that takes what the server prints, then the server's command line; for each line on standard input it
 * starts the server and answers `started <pid>`, and when that is gone `ended <pid> <exit code or signal>`. Whoever starts it holds the other end of the pipe, which the kernel closes however the holder ends; so neither a
 * crashed nor a killed test run leaves a server or its files behind.
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
    // What the server was about to write may come a moment later than its end is asked for.
    void rm(directory, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  });
process.stdin.on('error', () => undefined);
process.stdout.on('error', () => undefined);
