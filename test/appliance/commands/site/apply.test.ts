import { readFileSync, writeFileSync } from 'node:fs';
import { expect, it, vi } from 'vitest';
import { stringify } from 'yaml';
import { siteFile } from '#contract/server-paths.ts';
import { asciiJson, briefSite } from '#contract/site/brief-site.ts';
import { type Site, siteSchema } from '#contract/site/site.ts';
import { applyChanged } from '../../../../appliance/commands/site/apply.ts';
import { parseSource } from '../../../../appliance/commands/site/source.ts';
import { afterThisTest } from '../../../setup/cleanup.ts';
import { contextFor } from '../../context.ts';
import { TemporaryHost } from '../../temporary-host.ts';

const key =
  'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl me@laptop';
const fields = { release: ['https://releases.example.com/'], admin: { ssh_keys: [key] } };
const jsonOf = (site: Site) => asciiJson(briefSite(site));
const site = siteSchema.parse(fields);
const ofOther = jsonOf(siteSchema.parse({ ...fields, timezone: 'UTC' }));

/** What happens while the command plans and asks. */
const { meanwhile } = vi.hoisted(() => ({ meanwhile: { act: () => {} } }));
vi.mock('../../../../appliance/commands/site/diff.ts', () => ({
  changeTo: async () => {
    meanwhile.act();
    return { differences: [{ field: 'language' }], stages: [], restarts: [], confirms: false };
  },
  describeChange: () => 'language: zh',
}));

/** Applies a site on a server whose first boot has stopped. @param isRace whether another command changes it */
function apply(isRace: boolean) {
  const log = vi.spyOn(console, 'log').mockReturnValue();
  afterThisTest(() => log.mockRestore());
  const host = TemporaryHost.with({ [siteFile]: jsonOf(site) });
  meanwhile.act = () => {
    if (isRace) writeFileSync(host.path(siteFile), ofOther);
  };
  const source = parseSource(Buffer.from(stringify({ ...fields, language: 'zh' })), 'site.yaml');
  const result = applyChanged(contextFor(host, { site }), async () => source, true);
  return { result, text: () => readFileSync(host.path(siteFile), 'utf8') };
}

it('applies a site', async () => {
  const { result, text } = apply(false);
  expect(await result).toBe(true);
  expect(text()).toContain('"language": "zh"');
});

it('does not undo the change of another command that ended meanwhile', async () => {
  const { result, text } = apply(true);
  await expect(result).rejects.toMatchObject({
    code: 'ALREADY_RUNNING',
    message: expect.stringContaining('changed by another command'),
  });
  expect(text()).toBe(ofOther);
});
