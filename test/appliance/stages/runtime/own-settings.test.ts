import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { daemonSettingsFile } from '../../../../appliance/stages/runtime/daemon-settings.ts';
import {
  changeOwnSettings,
  ownSettingsFile,
  storedSettings,
} from '../../../../appliance/stages/runtime/own-settings.ts';
import { runtimeStage } from '../../../../appliance/stages/runtime/stage.ts';
import { engineAnswers } from '../../answers.ts';
import { contextFor } from '../../context.ts';
import { type Answers, TemporaryHost } from '../../temporary-host.ts';

const none = { 'registry-mirrors': [], 'insecure-registries': [], dns: [], clientProxies: [] };
const installed: Answers = {
  ...engineAnswers,
  'dockerd --version': 'Docker version 20.10.24, build 1',
  'ip -json': '[]',
  'dpkg-query':
    'docker.io installed\niptables installed\nca-certificates installed\ndocker-cli installed',
};

/** Returns a server for the runtime stage, with mirrors that may change between runs. */
function server(files: Readonly<Record<string, string>> = {}) {
  const host = TemporaryHost.with(files, installed);
  return {
    host,
    settings: () => JSON.parse(readFileSync(host.path(daemonSettingsFile), 'utf8')),
    apply: async (registries: Readonly<Record<string, string>>) => {
      const context = contextFor(host, { site: { mirrors: { registries } } });
      // The stage fails because this release has no Compose, but the settings are written before.
      await expect(runtimeStage.apply(context)).rejects.toMatchObject({ code: 'BUNDLE_CONTENT' });
    },
  };
}

describe('a mirror in daemon.json', () => {
  const mirror = 'http://10.0.0.3:5000';

  it('adds and removes a mirror in daemon.json with the site', async () => {
    const { host, apply, settings } = server();
    await apply({ 'docker.io': mirror });
    expect(settings()).toMatchObject({
      'registry-mirrors': [mirror],
      'insecure-registries': ['10.0.0.3:5000'],
    });
    expect(statSync(host.path(ownSettingsFile)).mode & 0o777).toBe(0o600);
    await apply({});
    expect(Object.keys(settings())).not.toContain('registry-mirrors');
    expect(Object.keys(settings())).not.toContain('insecure-registries');
    expect(existsSync(host.path(ownSettingsFile))).toBe(false);
  });

  it('replaces a mirror in daemon.json by another mirror', async () => {
    const { apply, settings } = server();
    await apply({ 'docker.io': mirror });
    await apply({ 'docker.io': 'https://m.example' });
    expect(settings()['registry-mirrors']).toEqual(['https://m.example']);
  });

  it('does not affect mirrors of the user', async () => {
    const theirs = { 'registry-mirrors': ['https://own.example', mirror] };
    const { apply, settings } = server({ [daemonSettingsFile]: JSON.stringify(theirs) });
    await apply({ 'docker.io': mirror });
    await apply({});
    expect(settings()).toMatchObject(theirs);
  });
});

describe("the record of Landfall's own settings", () => {
  it('contains the old and the new settings until the new ones are written', async () => {
    const { host } = server();
    await changeOwnSettings(host, { clientProxies: ['old'] }, async () => {});
    const seen: unknown[] = [];
    await changeOwnSettings(host, { clientProxies: ['new'] }, async () => {
      seen.push((await storedSettings.read(host)).clientProxies);
    });
    expect(seen).toEqual([['old', 'new']]);
    expect(await storedSettings.read(host)).toEqual({ ...none, clientProxies: ['new'] });
  });

  it.each(['', '{', '[]', '{"clientProxies":"x"}', '{"more":[]}'])(
    'reads a damaged record of its own settings as empty: %j',
    async (text) => {
      const { host } = server({ [ownSettingsFile]: '' });
      writeFileSync(host.path(ownSettingsFile), text);
      expect(await storedSettings.read(host)).toEqual(none);
    },
  );
});
