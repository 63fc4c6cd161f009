import { readFileSync, readlinkSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { timeZone } from '../../../../appliance/stages/kernel/time.ts';
import { contextFor } from '../../context.ts';
import { TemporaryHost } from '../../temporary-host.ts';

const database = {
  'usr/share/zoneinfo/Asia/Shanghai': 'TZif',
  'etc/localtime': 'TZif',
  'etc/timezone': 'Etc/UTC\n',
};

function server(timezone?: string) {
  const host = TemporaryHost.with(database);
  return { host, context: contextFor(host, { site: timezone ? { timezone } : {} }) };
}

describe('the time zone of a server', () => {
  it('sets the time zone of a server to that of the site, once', async () => {
    const { host, context } = server('Asia/Shanghai');
    expect(await timeZone.check(context)).toEqual(['set the time zone to Asia/Shanghai']);
    await timeZone.apply(context);
    expect(readlinkSync(host.path('etc/localtime'))).toBe('/usr/share/zoneinfo/Asia/Shanghai');
    expect(readFileSync(host.path('etc/timezone'), 'utf8')).toBe('Asia/Shanghai\n');
    expect(await timeZone.check(context)).toEqual([]);
    expect(await timeZone.prove(context)).toEqual([]);
  });

  it('stays as it is if the site has none', async () => {
    const { host, context } = server();
    expect(await timeZone.check(context)).toEqual([]);
    await timeZone.apply(context);
    expect(readFileSync(host.path('etc/timezone'), 'utf8')).toBe('Etc/UTC\n');
  });

  // Names of the package tzdata-legacy, which Debian 13 and Ubuntu 24.04 do not install.
  it('sets a former name under the name that the server has', async () => {
    const { host, context } = server('PRC');
    expect(await timeZone.check(context)).toEqual(['set the time zone to Asia/Shanghai']);
    await timeZone.apply(context);
    expect(readlinkSync(host.path('etc/localtime'))).toBe('/usr/share/zoneinfo/Asia/Shanghai');
    expect(await timeZone.check(context)).toEqual([]);
    expect(await timeZone.prove(context)).toEqual([]);
  });

  it('fails if the server does not have the time zone of the site', async () => {
    const { context } = server('Asia/Urumqi');
    await expect(timeZone.apply(context)).rejects.toMatchObject({ code: 'HOST_SETTINGS' });
  });
});
