import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { beforeEach, describe, expect, it } from 'vitest';
import { workFolder } from '../../../simulator/work-folder.ts';
import { GhStandIn } from '../../../stand-ins/code-host/gh-stand-in.ts';

const program = fileURLToPath(
  new URL('../../../../builder/publish/release/upload-draft.ts', import.meta.url),
);
const files = ['a.tar', 'release.pub'];

let host: GhStandIn;
let folder: string;
beforeEach(async () => {
  folder = await workFolder();
  host = await GhStandIn.create(join(folder, 'host'));
  for (const name of files) await writeFile(join(folder, name), `bytes of ${name}`);
});

/** Uploads files with the stand-in for gh; returns the exit code and the printed JSON. */
async function upload(names: readonly string[] = files, env: NodeJS.ProcessEnv = {}) {
  const { exitCode, stdout, stderr } = await execa(
    process.execPath,
    [program, 'v1.0.0', ...names],
    {
      cwd: folder,
      extendEnv: false,
      env: { ...host.env, GH_TOKEN: 'the token', ...env },
      reject: false,
    },
  );
  return { exitCode, printed: JSON.parse(stdout) as { error?: object }, stderr };
}

describe('an upload to a draft with a stand-in for gh', () => {
  it('stores the bytes of each file under its name', async () => {
    await host.add('v1.0.0', true);
    const { exitCode, printed } = await upload();
    expect({ exitCode, printed }).toEqual({ exitCode: 0, printed: { tag: 'v1.0.0', files } });
    expect(await host.files('v1.0.0')).toEqual({
      'a.tar': 'bytes of a.tar',
      'release.pub': 'bytes of release.pub',
    });
  });

  it('keeps an identical file and replaces another one', async () => {
    await host.add('v1.0.0', true);
    await host.put('v1.0.0', 'release.pub', 'bytes of release.pub');
    await host.put('v1.0.0', 'a.tar', 'old');
    expect((await upload()).exitCode).toBe(0);
    expect((await host.state()).uploads).toEqual(['a.tar']);
    expect(await host.files('v1.0.0')).toMatchObject({ 'a.tar': 'bytes of a.tar' });
  });

  it('accepts that another job uploaded the same file meanwhile', async () => {
    await host.add('v1.0.0', true, { failures: 1 });
    const { exitCode, stderr } = await upload();
    expect(exitCode).toBe(0);
    expect(stderr).toContain('ReleaseAsset.name already exists');
    expect((await host.state()).uploads).toEqual(files);
  });

  it('rejects a file that was not stored as sent', async () => {
    await host.add('v1.0.0', true, { damaged: true });
    const { exitCode, printed } = await upload();
    expect(printed).toMatchObject({ error: { code: 'BLOB_DIGEST', retriable: true } });
    expect(exitCode).not.toBe(0);
  });

  it('does not change a published release', async () => {
    await host.add('v1.0.0', false);
    expect((await upload()).printed).toMatchObject({ error: { code: 'FILE_EXISTS' } });
    expect(await host.files('v1.0.0')).toEqual({});
  });

  it('checks all files before the first upload', async () => {
    await host.add('v1.0.0', true);
    const { printed } = await upload(['a.tar', 'none']);
    expect(printed).toMatchObject({ error: { code: 'FILE_MISSING' } });
    expect((await host.state()).uploads).toEqual([]);
  });

  it('reports why gh failed, and how to give it a token', async () => {
    const missing = await upload();
    expect(missing.printed).toMatchObject({
      error: { code: 'COMMAND_FAILED', message: 'gh release view failed: release not found' },
    });
    const { stderr } = await upload(files, { GH_TOKEN: '' });
    expect(stderr).toContain('set GH_TOKEN to a token with the permission contents:write');
  });
});
