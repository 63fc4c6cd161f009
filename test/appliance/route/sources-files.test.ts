import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { sourcesMeasure } from '../../../appliance/route/sources-files.ts';
import { contextFor } from '../context.ts';
import { TemporaryHost } from '../temporary-host.ts';

const list = 'etc/apt/sources.list';
const cloudInitFile = 'etc/cloud/cloud.cfg.d/99-landfall-apt.cfg';
const original = [
  'deb http://deb.debian.org/debian trixie main',
  'deb http://deb.debian.org/debian-security trixie-security main',
  '',
].join('\n');

function server() {
  const host = TemporaryHost.with({ [list]: original, 'etc/cloud/cloud.cfg.d/05.cfg': '' });
  const apply = (mirrors: object) => sourcesMeasure.apply(contextFor(host, { site: { mirrors } }));
  const text = () => readFileSync(host.path(list), 'utf8');
  return { host, apply, text };
}

describe('the package sources of a corrected site', () => {
  it('restores the original package sources without a mirror (regression: a dead mirror stayed)', async () => {
    const { host, apply, text } = server();
    await apply({ apt: 'http://dead.example/debian' });
    expect(text()).toContain('http://dead.example/debian trixie main');
    expect(existsSync(host.path(cloudInitFile))).toBe(true);
    await apply({});
    expect(text()).toBe(original);
    expect(existsSync(host.path(cloudInitFile))).toBe(false);
  });

  it('name another mirror, and the original archive for updates that lost theirs', async () => {
    const { apply, text } = server();
    await apply({ apt: 'http://one.example/debian', apt_security: 'http://one.example/security' });
    await apply({ apt: 'http://two.example/debian' });
    expect(text()).toBe(original.replace('deb.debian.org/debian ', 'two.example/debian '));
  });

  it('keep lines that the administrator added since', async () => {
    const { host, apply, text } = server();
    await apply({ apt: 'http://one.example/debian' });
    const added = `${text()}deb http://other.example/debian trixie-pgdg main\n`;
    writeFileSync(host.path(list), added);
    await apply({});
    expect(text()).toBe(added);
  });
});
