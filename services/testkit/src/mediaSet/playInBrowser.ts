import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { headlessOptions } from '../servers/chromium.ts';
import { toolPath } from '../run/tools.ts';

/** Result of playing a video in a browser. */
export interface Played {
  /** Error of the browser; undefined if the video played. */
  readonly fault?: string;
  readonly width: number;
  readonly height: number;
  readonly seconds: number;
  /** Position after seeking to the middle, in seconds. */
  readonly soughtTo: number;
  /** Mean colour of the picture at `soughtTo`, 0 to 255 per channel. */
  readonly colour: readonly [number, number, number];
  /** True if the position advanced while playing. */
  readonly isMoving: boolean;
  readonly hasSound: boolean;
}

/** Timeout for all videos together, in ms. */
const limitMs = 120_000;

/** Plays the beginning of each video in headless Chromium, and seeks to the middle. */
export async function playInBrowser(paths: readonly string[]): Promise<Played[]> {
  const results = Promise.withResolvers<Played[]>();
  const server = createServer((request, response) => void serve(request, response, paths, results.resolve));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const profile = await mkdtemp(join(tmpdir(), 'hearth-chromium-'));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const browser = spawn(toolPath('chromium'), [...options, `--user-data-dir=${profile}`, url], { stdio: 'ignore' });
  const timer = setTimeout(() => results.reject(new Error('no response from the browser')), limitMs);
  browser.on('exit', () => results.reject(new Error('the browser exited')));
  try {
    return await results.promise;
  } finally {
    clearTimeout(timer);
    if (browser.exitCode === null && browser.kill()) await once(browser, 'exit');
    server.close();
    server.closeAllConnections();
    await rm(profile, { recursive: true, force: true, maxRetries: 5 });
  }
}

const options = [...headlessOptions, '--autoplay-policy=no-user-gesture-required'];

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  paths: readonly string[],
  onResults: (results: Played[]) => void,
): Promise<void> {
  if (request.method === 'POST') {
    onResults(JSON.parse(await text(request)) as Played[]);
    response.end();
  } else if (request.url === '/') {
    response.setHeader('Content-Type', 'text/html');
    response.end(`<!doctype html><link rel="icon" href="data:,"><script>${makeScript(paths.length)}</script>`);
  } else {
    sendPart(request, response, paths[Number(request.url?.slice(1))]!);
  }
}

/** Serves a file like the API: in ranges, and always as an MP4. */
function sendPart(request: IncomingMessage, response: ServerResponse, path: string): void {
  const { size } = statSync(path);
  const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? 'bytes=0-') ?? [];
  const [start, end] = [Number(from), to ? Math.min(Number(to), size - 1) : size - 1];
  response.writeHead(206, {
    'Content-Type': 'video/mp4',
    'Accept-Ranges': 'bytes',
    'Content-Range': `bytes ${start}-${end}/${size}`,
    'Content-Length': end - start + 1,
  });
  createReadStream(path, { start, end }).pipe(response);
}

const makeScript = (count: number): string => `
  const once = (target, name) => new Promise((resolve, reject) => {
    target.addEventListener(name, resolve, { once: true });
    target.addEventListener('error', () => reject(new Error(target.error?.message || 'error')), { once: true });
    setTimeout(() => reject(new Error('no ' + name)), 20000);
  });
  const play = async (source) => {
    const video = document.createElement('video');
    video.muted = true;
    video.preload = 'auto';
    video.src = source;
    await once(video, 'canplay');
    // A video of a single frame may end before play() resolves.
    await video.play().catch((error) => { if (!video.ended) throw error; });
    await new Promise((resolve) => setTimeout(resolve, 50));
    while (video.currentTime === 0 && !video.ended) await once(video, 'timeupdate');
    const isMoving = video.currentTime > 0;
    const hasSound = video.webkitAudioDecodedByteCount > 0;
    video.pause();
    // The picture at the new position may be presented shortly after the seeked event.
    const presented = new Promise((resolve) => video.requestVideoFrameCallback(resolve));
    const seeked = once(video, 'seeked');
    video.currentTime = video.duration / 2;
    await seeked;
    await presented;
    const canvas = new OffscreenCanvas(64, 64).getContext('2d');
    canvas.drawImage(video, 0, 0, 64, 64);
    const { data } = canvas.getImageData(0, 0, 64, 64);
    const colour = [0, 1, 2].map((channel) => [...data].filter((_, i) => i % 4 === channel).reduce((a, b) => a + b, 0) / 4096);
    return {
      width: video.videoWidth, height: video.videoHeight, seconds: video.duration, soughtTo: video.currentTime,
      colour, isMoving, hasSound,
    };
  };
  onload = async () => {
    const results = [];
    for (let i = 0; i < ${count}; i++) results.push(await play('/' + i).catch((error) => ({ fault: String(error) })));
    await fetch('/results', { method: 'POST', body: JSON.stringify(results) });
  };`;
