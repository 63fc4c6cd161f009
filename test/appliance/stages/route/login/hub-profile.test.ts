import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { siteSchema } from '#contract/site/site.ts';
import { profileFileOf } from '../../../../../appliance/stages/route/login/login-settings.ts';
import { routeStage } from '../../../../../appliance/stages/route/stage.ts';
import { undoRoute } from '../../../../../appliance/stages/route/undo-route.ts';
import { contextFor } from '../../../context.ts';
import { TemporaryHost } from '../../../temporary-host.ts';

const hubProfileFile = profileFileOf('hub');
const zsh = 'etc/zsh/zprofile';
const fish = 'etc/fish/conf.d/landfall-hub.fish';
const mirrors = { hub: 'https://hub.example/' };

function server() {
  const files = { [zsh]: '# zsh\n', 'etc/fish/conf.d/own.fish': '' };
  const host = TemporaryHost.with(files, { systemctl: '', 'getent group sudo': 'sudo:x:27:\n' });
  return { host, context: contextFor(host, { site: { mirrors } }) };
}

const read = (host: TemporaryHost, path: string) => readFileSync(host.path(path), 'utf8');

describe('the mirror of the model hub', () => {
  it('sets HF_ENDPOINT to the mirror of the model hub in login shells, also without a proxy', async () => {
    const { host, context } = server();
    expect(await routeStage.check(context)).toContain(
      'set the mirror of the model hub for login shells',
    );
    await routeStage.apply(context);
    const script = `. ${host.path(hubProfileFile)}; printf %s "$HF_ENDPOINT"`;
    expect(`${execFileSync('sh', ['-c', script])}`).toBe('https://hub.example');
    expect(read(host, fish)).toBe(read(host, hubProfileFile));
    expect(read(host, zsh)).toContain(`. /${hubProfileFile}`);
    expect(await routeStage.check(context)).toEqual([]);
  });

  it('sets the mirrors of npm and pip in login shells', async () => {
    const host = TemporaryHost.with({}, { systemctl: '', 'getent group sudo': 'sudo:x:27:\n' });
    const mirrors = { npm: 'https://npm.example/', pip: 'https://pip.example/simple' };
    await routeStage.apply(contextFor(host, { site: { mirrors } }));
    const script = `. ${host.path(profileFileOf('packages'))}; printf '%s %s' "$NPM_CONFIG_REGISTRY" "$PIP_INDEX_URL"`;
    expect(`${execFileSync('sh', ['-c', script])}`).toBe(
      'https://npm.example https://pip.example/simple',
    );
  });

  it('removes the mirror of the model hub with the route', async () => {
    const { host, context } = server();
    await routeStage.apply(context);
    await undoRoute(context);
    for (const path of [hubProfileFile, fish]) expect(existsSync(host.path(path))).toBe(false);
    expect(read(host, zsh)).toBe('# zsh\n');
  });

  it.each(['https://me:secret@hub.example', 'https://hub.example/?a=b', 'ftp://hub.example'])(
    'rejects %s in a site',
    (hub) => {
      expect(siteSchema.shape.mirrors.safeParse({ hub }).success).toBe(false);
      expect(siteSchema.shape.mirrors.safeParse(mirrors).success).toBe(true);
    },
  );
});
