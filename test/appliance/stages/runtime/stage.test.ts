import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { composePlugin } from '#contract/bundle/bundle-paths.ts';
import { runtimeStage } from '../../../../appliance/stages/runtime/stage.ts';
import { aptAnswers, engineAnswers } from '../../answers.ts';
import { contextFor } from '../../context.ts';
import { type Answers, TemporaryHost } from '../../temporary-host.ts';

const plugin = 'the program';
const dropIn = 'run/systemd/system/docker.service.d/50-landfall-later.conf';
const settingsFile = 'etc/docker/daemon.json';

/** Returns a server without Docker, whose apt installs version 26. */
function freshServer(answers: Answers = {}) {
  const isInstalled = () => host.ran.some((line) => line.includes(' install --yes docker.io'));
  const host: TemporaryHost = TemporaryHost.with(
    { 'proc/sys/kernel/random/boot_id': 'now\n', [`release/${composePlugin}`]: plugin },
    {
      ...aptAnswers,
      ...engineAnswers,
      'dpkg-query': 1,
      'systemctl is-active': 3,
      'systemctl is-active --quiet docker': 3,
      'systemctl is-enabled --quiet docker.service': 0,
      'ip -json': '[]',
      'dockerd --version': () => (isInstalled() ? 'Docker version 26.1.5' : ''),
      ...answers,
    },
  );
  const sha256 = createHash('sha256').update(plugin).digest('hex');
  const file = { path: composePlugin, size: plugin.length, sha256, offset: 0, executable: true };
  const site = { docker: { source: 'distribution' } };
  const context = contextFor(host, { site, release: { files: [file] } });
  return { host, context: { ...context, releaseFolder: host.path('release') } };
}

describe('the runtime stage', () => {
  it('starts Docker once, despite a start limit, with settings for its version', async () => {
    let settings: unknown;
    let held: boolean | undefined;
    const { host, context } = freshServer({
      'apt-get': (line) => {
        if (line.includes('install --yes')) held = existsSync(host.path(dropIn));
        return 0;
      },
      'systemctl daemon-reload': () => {
        settings = JSON.parse(readFileSync(host.path(settingsFile), 'utf8'));
        return '';
      },
    });
    await runtimeStage.apply(context);
    expect(host.ran.filter((line) => /systemctl (?!is-)|install --yes/.test(line))).toEqual([
      expect.stringMatching(/ install --yes docker\.io docker-cli iptables ca-certificates$/),
      'systemctl daemon-reload',
      'systemctl reset-failed docker',
      'systemctl restart docker',
    ]);
    expect({ held, heldOn: existsSync(host.path(dropIn)) }).toEqual({ held: true, heldOn: false });
    // Docker before version 27 filters IPv6 only with these.
    expect(settings).toMatchObject({ ip6tables: true, experimental: true });
  });

  it('writes the settings before it installs the package, which may start Docker', async () => {
    let settings = '';
    const { host, context } = freshServer({
      'apt-get': (line) => {
        if (line.includes('install --yes'))
          settings = readFileSync(host.path(settingsFile), 'utf8');
        return 0;
      },
    });
    await runtimeStage.apply(context);
    expect(JSON.parse(settings)).toMatchObject({ ip: '127.0.0.1', 'live-restore': true });
  });

  it('restarts a running Docker', async () => {
    const { host, context } = freshServer({ 'systemctl is-active --quiet docker': 0 });
    await runtimeStage.apply(context);
    expect(host.ran).toContain('systemctl restart docker');
  });
});
