import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  PreviewFolder,
  type PreviewState,
  portsOfOthers,
} from '../../../../builder/commands/preview/state.ts';

let env: { XDG_STATE_HOME: string };
beforeEach(async () => {
  env = { XDG_STATE_HOME: await mkdtemp(join(tmpdir(), 'landfall-preview-state-')) };
});
afterEach(() => rm(env.XDG_STATE_HOME, { recursive: true }));

const state: PreviewState = {
  version: '1.2.0',
  ports: { https: 8443, http: 8088 },
  pulled: [],
  secrets: { KEY: 'value' },
  started: false,
};

describe('the folder of a preview', () => {
  it('places the folder of a preview below XDG_STATE_HOME, or below the home folder', () => {
    expect(new PreviewFolder(env, 'a').path).toBe(`${env.XDG_STATE_HOME}/landfall/preview/a`);
    expect(new PreviewFolder({ HOME: '/home/me' }, 'a').path).toBe(
      '/home/me/.local/state/landfall/preview/a',
    );
  });

  it('closes the folder of a preview for other users, but lets containers read their mounts', async () => {
    const before = process.umask(0o077);
    const folder = new PreviewFolder(env, 'a');
    try {
      await folder.write('server/stack/ui/secrets.env', 'KEY=value');
    } finally {
      process.umask(before);
    }
    const modeOf = async (path: string) => (await stat(join(folder.path, path))).mode & 0o777;
    expect(await modeOf('.')).toBe(0o700);
    expect(await modeOf('server/stack/ui')).toBe(0o755);
    expect(await modeOf('server/stack/ui/secrets.env')).toBe(0o644);
  });

  it('returns no state of a preview if its file is missing or damaged', async () => {
    const folder = new PreviewFolder(env, 'a');
    expect(await folder.readState()).toBeUndefined();
    await folder.write('preview.json', '{"ports":');
    expect(await folder.readState()).toBeUndefined();
  });

  it('returns the ports of other previews only', async () => {
    await new PreviewFolder(env, 'a').writeState(state);
    await new PreviewFolder(env, 'b').writeState({ ...state, ports: { https: 1, http: 2 } });
    expect(await portsOfOthers(env, 'a')).toEqual(new Set([1, 2]));
  });

  it('removes the folder of a preview, or everything in it except the given files', async () => {
    const folder = new PreviewFolder(env, 'a');
    await folder.writeState(state);
    await folder.write('compose/compose.yaml', '');
    await folder.remove(['preview.json']);
    expect(await folder.readState()).toEqual(state);
    expect(await folder.read('compose/compose.yaml')).toBeUndefined();
    await folder.remove();
    await folder.remove();
    await expect(stat(folder.path)).rejects.toThrow('ENOENT');
  });
});
