import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createRandom } from '@hearth/testkit/run/seededRandom.ts';
import { makeTestPhoto } from '@hearth/testkit/pictures/testPhoto.ts';
import { getDataDirectory, listFiles } from '@hearth/testkit/hearth/dataFolder.ts';
import { queryEmbedded } from '@hearth/testkit/hearth/embeddedDatabase.ts';
import { toPhoto, type Photo } from '@hearth/testkit/hearth/photos.ts';
import { needsLinux } from '@hearth/testkit/hearth/processTree.ts';
import { send } from '@hearth/testkit/hearth/request.ts';
import { startTestHearth } from '@hearth/testkit/hearth/testHearth.ts';
import { waitFor, waitUntilReady } from '@hearth/testkit/hearth/wait.ts';

/* npm run drill:damage: the same with 1,000 photos and 100 damaged files. The third argument is the random seed. */
const [photoCount, damageCount, seed] = [
  Number(process.argv[2] ?? 100),
  Number(process.argv[3] ?? 20),
  Number(process.argv[4] ?? 1),
];

const program = fileURLToPath(new URL('../../services/api/src/commands/verify.ts', import.meta.url));

/** Ways to damage a file. Previews and thumbnails have no stored checksum, so flipped bits in them are not detected. */
const damages = {
  truncate: async (path: string) => truncate(path, Math.floor((await stat(path)).size / 2)),
  empty: async (path: string) => truncate(path, 0),
  remove: async (path: string) => rm(path),
  flip: async (path: string) => {
    const bytes = await readFile(path);
    bytes[bytes.length >> 1]! ^= 1;
    await writeFile(path, bytes);
  },
} as const;
type Damage = keyof typeof damages;
const renditionDamages = ['truncate', 'empty', 'remove'] as const satisfies readonly Damage[];
const originalDamages = [...renditionDamages, 'flip'] as const satisfies readonly Damage[];

test(
  'reports every damaged file, regenerates previews and thumbnails, and repairs originals by upload',
  needsLinux,
  async (t) => {
    const { directory, client, hearth } = await startTestHearth(t, {});
    const query = queryEmbedded(directory);
    const getPath = (key: string): string => join(getDataDirectory(directory), 'objects', key);
    const random = createRandom(seed);
    const verify = async (): Promise<{ readonly code: number; readonly lines: readonly string[] }> =>
      new Promise((resolve, reject) => {
        const env = { HEARTH_DATA_DIR: getDataDirectory(directory), HEARTH_LOG_LEVEL: 'error' };
        execFile(process.execPath, [program], { env, maxBuffer: 64 * 2 ** 20 }, (error, stdout, stderr) => {
          const code = error === null ? 0 : Number(error.code);
          if (code > 1) reject(new Error(stderr));
          else resolve({ code, lines: stdout.trimEnd().split('\n') });
        });
      });
    /** Returns the digests of all stored files by key. */
    const readStore = async (): Promise<Map<string, string>> => {
      const digests = new Map<string, string>();
      for (const key of await listFiles(directory)) {
        if (/\/(?:original|preview|thumbnail)/.test(key))
          digests.set(
            key,
            createHash('sha256')
              .update(await readFile(getPath(key)))
              .digest('hex'),
          );
      }
      return digests;
    };

    const photos = new Map<string, Photo>();
    for (let index = 0; index < photoCount; index++) {
      const photo = toPhoto(`photo-${index}.jpg`, await makeTestPhoto({ seed: index, width: 400, height: 300 }));
      photos.set(await client.upload(photo), photo);
    }
    await waitUntilReady(query);
    assert.equal((await verify()).code, 0);
    const intactStore = await readStore();

    const items = random.shuffle([...photos.keys()]).slice(0, damageCount);
    const damaged = items.slice(0, damageCount >> 1);
    const withoutRendition = items.slice(damageCount >> 1);
    const findKey = (id: string, name: RegExp): string => {
      const key = [...intactStore.keys()].find((each) => each.includes(`/${id}/`) && name.test(each));
      return key ?? assert.fail(`${id} has no ${name.source}`);
    };
    for (const [index, id] of damaged.entries())
      await damages[originalDamages[index % originalDamages.length]!](getPath(findKey(id, /\/original$/)));
    for (const [index, id] of withoutRendition.entries()) {
      const name = random.pick([/\/preview-/, /\/thumbnail-/]);
      await damages[renditionDamages[index % renditionDamages.length]!](getPath(findKey(id, name)));
    }

    const { code, lines } = await verify();
    assert.equal(code, 1);
    const report = lines.flatMap((line) => /^(?:DAMAGED|MISSING) +(\S+)/.exec(line)?.[1] ?? []);
    assert.deepEqual(report.toSorted(), damaged.toSorted());
    t.diagnostic(lines.slice(-3).join(' '));

    const isRestored = async (ids: readonly string[]): Promise<boolean> => {
      const now = await readStore().catch(() => new Map<string, string>());
      return [...intactStore].every(
        ([key, digest]) => !ids.some((id) => key.includes(`/${id}/`)) || now.get(key) === digest,
      );
    };
    await waitFor('the renditions are regenerated', () => isRestored(withoutRendition), { everyMs: 1_000 });

    const token = await client.token();
    const uploadResumably = async ({ bytes }: Photo): Promise<string | null> => {
      const headers = { Authorization: `Bearer ${token}`, 'Tus-Resumable': '1.0.0' };
      const created = await send(hearth.url, '/v1/uploads', {
        method: 'POST',
        headers: { ...headers, 'Upload-Length': String(bytes.length) },
      });
      const patched = await fetch(new URL(created.headers.get('Location')!, hearth.url), {
        method: 'PATCH',
        headers: { ...headers, 'Upload-Offset': '0', 'Content-Type': 'application/offset+octet-stream' },
        body: bytes,
      });
      assert.equal(patched.status, 204);
      return patched.headers.get('Hearth-Media-Item-Id');
    };
    for (const [index, id] of damaged.entries()) {
      assert.notEqual((await client.get(id)).original, 'OK');
      const photo = photos.get(id)!;
      assert.equal(index % 2 === 0 ? await client.upload(photo) : await uploadResumably(photo), id);
    }
    await waitUntilReady(query);
    assert.deepEqual((await verify()).code, 0);
    for (const [id, { bytes }] of photos) {
      const { original, sourceUrl } = await client.get(id);
      assert.equal(original, 'OK');
      assert.ok(Buffer.from(await (await client.fetchLink(sourceUrl)).arrayBuffer()).equals(bytes), id);
    }
    await waitFor('all files are restored', () => isRestored([...photos.keys()]), { everyMs: 1_000 });
  },
);
